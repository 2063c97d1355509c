import torch


def train(model, loader, optimizer, criterion, epochs):
    for epoch in range(epochs):
        for batch in loader:
            model.zero_grad()
            loss = criterion(model(batch[0]), batch[1])
            loss.backward()
        optimizer.step()


net = torch.nn.Linear(3, 1)
train(net, [(torch.randn(4, 3), torch.randn(4, 1))], torch.optim.Adam(net.parameters()),
      torch.nn.MSELoss(), 10)
