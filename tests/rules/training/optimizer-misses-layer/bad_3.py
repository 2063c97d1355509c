import torch
import torch.nn as nn

x = torch.randn(256, 10)
y = torch.randint(0, 3, (256,))
criterion = nn.CrossEntropyLoss()
encoder = nn.Sequential(nn.Linear(10, 32), nn.ReLU())
classifier = nn.Linear(10, 3)
optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
for epoch in range(50):
    optimizer.zero_grad()
    loss = criterion(classifier(x), y)
    loss.backward()
    optimizer.step()
