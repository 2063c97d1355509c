import numpy as np
import torch
from torch import nn
import torch.nn.functional as F
y = F.relu(np.zeros(3))
