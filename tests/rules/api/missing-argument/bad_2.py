import torch
import torch.nn as nn
nn.Linear(3)
