import torch.nn.functional as F


def train_step(agent, reward_fn, data, optimizer):
    optimizer.zero_grad()
    tour, critique, log_probs = agent(data)
    reward = reward_fn(data, tour)
    actor = ((reward - critique.detach()) * log_probs).mean()
    critic = F.mse_loss(reward, critique)
    (actor + critic).backward()
    optimizer.step()
