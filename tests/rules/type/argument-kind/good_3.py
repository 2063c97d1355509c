import torch
from torch import nn
import torch.nn.functional as F
fc = nn.Linear(10, 5)
