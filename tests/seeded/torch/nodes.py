import torch
import torch.nn as nn
import torch.nn.functional as F


class Spread(nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.linear = nn.Linear(inside, outside)

    def forward(self, x, adj):
        return torch.mm(adj, self.linear(x))


class Nodes(nn.Module):
    def __init__(self, features, hidden, classes):
        super().__init__()
        self.first = Spread(features, hidden)
        self.second = Spread(hidden, classes)

    def forward(self, x, adj):
        x = F.relu(self.first(x, adj))
        x = F.dropout(x, 0.5, training=self.training)
        x = self.second(x, adj)
        return F.log_softmax(x, dim=1)


features = torch.rand(200, 32)
adj = torch.eye(200)
labels = torch.randint(0, 5, (200,))
model = Nodes(32, 16, 5)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
for epoch in range(200):
    model.train()
    optimizer.zero_grad()
    output = model(features, adj)
    loss = F.nll_loss(output, labels)
    loss.backward()
    optimizer.step()
