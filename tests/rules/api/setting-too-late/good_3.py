from torch import nn

head = nn.Linear(64, 12)
features = head.in_features
out_features = head.out_features
