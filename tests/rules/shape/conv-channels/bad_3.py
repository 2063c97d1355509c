import torch
import torch.nn as nn
def run(x):
    return nn.Conv1d(4, 8, 3)(x)


run(torch.zeros(2, 10, 4))
