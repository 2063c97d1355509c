import torch


def attention(scores, mask):
    scores.masked_fill(mask == 0, float('-inf'))
    return torch.softmax(scores, dim=-1)


print(attention(torch.rand(2, 5, 5), torch.ones(2, 5, 5)))
