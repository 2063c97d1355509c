import torch
import torch.nn as nn
import torch.nn.functional as F

labels = torch.rand(5) * 3
onehot = torch.eye(3)[labels]
