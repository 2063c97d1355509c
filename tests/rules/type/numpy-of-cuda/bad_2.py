import torch
x = torch.zeros(3).to("cuda")
print(x.numpy())
