import numpy as np
import torch
x = torch.tensor([[1, 2, 3], [4, 5, 6]])
