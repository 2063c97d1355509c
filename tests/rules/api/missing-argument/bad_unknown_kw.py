import torch
import torch.nn as nn
import torch.nn.functional as F

fc = nn.Linear(in_feature=4, out_features=2)
