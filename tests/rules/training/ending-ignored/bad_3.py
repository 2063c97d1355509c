import torch

GAMMA = 0.99


def train(actor, critic, memory, optimizer):
    s, a, rewards, s2, terminals = memory.sample(64)
    targets = rewards + GAMMA * critic(s2, actor(s2)).detach()
    loss = (critic(s, a) - targets).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
