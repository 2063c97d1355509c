import copy

import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
target = copy.deepcopy(net)
optimizer = torch.optim.Adam(net.parameters(), lr=0.001)
for step in range(500):
    state, reward = torch.randn(16, 4), torch.randn(16)
    action = torch.randint(0, 2, (16, 1))
    with torch.no_grad():
        wanted = reward + 0.9 * target(torch.randn(16, 4)).max(dim=1).values
    loss = nn.functional.smooth_l1_loss(net(state).gather(1, action).squeeze(1), wanted)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        target.load_state_dict(net.state_dict())
