import torch


def train(model, loader, optimizer, criterion):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=5)
        loss.backward()
        optimizer.step()


model = torch.nn.Linear(3, 1)
data = [(torch.randn(4, 3), torch.randn(4, 1))]
train(model, data, torch.optim.SGD(model.parameters(), lr=0.01), torch.nn.MSELoss())
