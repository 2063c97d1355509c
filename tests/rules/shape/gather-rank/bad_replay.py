import random
from collections import deque

import torch
from torch import nn

net = nn.Linear(4, 2)
memory = deque(maxlen=1000)


def learn():
    states, actions = zip(*random.sample(memory, 32))
    values = net(torch.cat(states)).gather(1, torch.tensor(actions))
    return values.mean()


for _ in range(100):
    memory.append((torch.rand(1, 4), random.randrange(2)))
print(learn())
