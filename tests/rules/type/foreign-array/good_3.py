import numpy as np
import torch
from torch import nn
import torch.nn.functional as F
y = np.matmul(np.eye(3), np.eye(3))
