import torch
from torch import nn
import torch.nn.functional as F
import numpy as np
y = nn.Linear(3, 2)(torch.from_numpy(np.random.rand(4, 3)))
