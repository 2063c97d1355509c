import pandas as pd
import torch
import torch.nn as nn

table = pd.read_csv('flats.csv')
x = torch.tensor(table.drop('rent', axis=1).values, dtype=torch.float32)
y = torch.tensor(table['rent'].values, dtype=torch.float32)
net = nn.Sequential(nn.Linear(x.shape[1], 32), nn.ReLU(), nn.Linear(32, 1))
loss = nn.MSELoss()(net(x), y)
