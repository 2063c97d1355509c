import torch


def returns(rewards, dones, last, gamma):
    out = []
    for reward, done in zip(reversed(rewards), reversed(dones)):
        if done:
            last = 0
        last = reward + gamma * last
        out.insert(0, last)
    return torch.tensor(out)
