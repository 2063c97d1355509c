import torch

torch.set_grad_enabled(False)
model = torch.load("model.pt")
print(model(torch.rand(1, 3)))
