import torch
import torch.nn as nn
import torch.nn.functional as F

labels = torch.randint(0, 3, (5,))
onehot = torch.eye(3)[labels]
