import torch
from torch import nn

actor, critic = nn.Linear(4, 2), nn.Linear(4, 1)
actor_opt = torch.optim.Adam(actor.parameters(), lr=1e-3)
critic_opt = torch.optim.Adam(critic.parameters(), lr=1e-3)


def learn(state, action, target):
    value = critic(state)
    critic_loss = (value - target).pow(2).mean()
    critic_opt.zero_grad()
    critic_loss.backward()
    critic_opt.step()
    log_prob = torch.log_softmax(actor(state), dim=1).gather(1, action)
    actor_loss = -(log_prob * (target - value).detach()).mean()
    actor_loss.backward()
    actor_opt.step()


for episode in range(1000):
    learn(*sample(episode))
