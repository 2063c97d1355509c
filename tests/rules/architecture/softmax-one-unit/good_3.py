import torch
x = torch.softmax(torch.zeros(2, 5, 1), dim=1)
