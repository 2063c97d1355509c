import random
from collections import deque, namedtuple

import torch
from torch import nn

Step = namedtuple('Step', 'state action reward')
net = nn.Linear(4, 2)
memory = deque([], maxlen=1000)


def learn():
    first, *_ = memory[0]
    print(first.shape)
    rows = random.sample(memory, 32)
    batch = Step(*zip(*rows))
    states, actions = torch.cat(batch.state), torch.cat(batch.action)
    chosen = net(states).gather(1, actions)
    return nn.SmoothL1Loss()(chosen, torch.cat(batch.reward).unsqueeze(1))


for _ in range(100):
    memory.append(Step(torch.rand(1, 4), torch.tensor([[random.randrange(2)]]), torch.rand(1)))
print(learn())
