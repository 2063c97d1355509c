import torch


def goals(target, batch, gamma):
    states, actions, rewards, next_states, dones = batch
    best = target(next_states).max(1)[0]
    best[dones] = 0.0
    return rewards + gamma * best.detach()
