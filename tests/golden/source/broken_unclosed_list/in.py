layers = [
    nn.Linear(10, 20),
    nn.ReLU(),
optimizer = torch.optim.Adam(model.parameters()
for epoch in range(10):
    train(epoch)
