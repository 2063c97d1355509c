import numpy as np
import torch
from torch import nn
import torch.nn.functional as F
y = F.relu(torch.from_numpy(np.zeros(3)))
