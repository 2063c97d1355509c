import torch


def shift_right(x):
    padded = torch.cat([x, x.new_zeros(x.shape[0], 1, *x.shape[2:])], dim=1)
    padded = padded.view(x.shape[1] + 1, x.shape[0], *x.shape[2:])
    return padded[:-1].view_as(x)


print(shift_right(torch.randn(3, 3, 4, 2)))
