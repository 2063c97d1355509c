import torch
import torch.nn as nn

images = torch.randint(0, 255, (1000, 784), dtype=torch.uint8)
labels = torch.randint(0, 10, (1000,))
net = nn.Linear(784, 10)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for i in range(0, 1000, 50):
    x = images.to(torch.float32)[i:i + 50]
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(x / 255), labels[i:i + 50]).backward()
    optimizer.step()
