import torch


def reinforce(log_probs, rewards, optimizer):
    mean = rewards.mean()
    loss = -(log_probs * (rewards - mean)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
