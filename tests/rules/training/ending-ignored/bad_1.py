import torch
from torch import nn


class Agent:
    def __init__(self, model, memory, gamma):
        self.model, self.memory, self.gamma = model, memory, gamma
        self.loss = nn.MSELoss()

    def compute_loss(self, batch):
        states, actions, rewards, next_states, dones = batch
        states = torch.FloatTensor(states)
        rewards = torch.FloatTensor(rewards)
        next_states = torch.FloatTensor(next_states)
        dones = torch.FloatTensor(dones)
        now = self.model(states).gather(1, torch.LongTensor(actions).unsqueeze(1)).squeeze(1)
        best = torch.max(self.model(next_states), 1)[0]
        return self.loss(now, rewards + self.gamma * best.detach())
