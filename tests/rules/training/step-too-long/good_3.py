import torch
x = torch.arange(0, 50, dtype=torch.float32).unsqueeze(1) / 50
y = 3 * x + 2
model = torch.nn.Linear(1, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.01)
loss_fn = torch.nn.MSELoss()
for i in range(1000):
    pred = model(x)
    loss = loss_fn(pred, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
