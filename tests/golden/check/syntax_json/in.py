import torch
print "a"
x = torch.zeros(3
