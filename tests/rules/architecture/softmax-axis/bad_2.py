import math
import torch

q, k, v = torch.randn(2, 7, 16), torch.randn(2, 9, 16), torch.randn(2, 9, 16)
scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(16)
attention = torch.nn.functional.softmax(scores, dim=1)
out = torch.bmm(attention, v)
