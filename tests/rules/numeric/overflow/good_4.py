import numpy as np
import torch

lowest = np.array(-np.inf, dtype=np.float32)
mask = torch.full((4, 4), float("-inf"))
