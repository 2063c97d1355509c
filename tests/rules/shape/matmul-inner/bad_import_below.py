import torch.nn.parallel

a = torch.rand(2, 3)
print(a @ torch.rand(4, 5))
