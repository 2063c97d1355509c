import numpy as np
import torch
from sklearn.preprocessing import MinMaxScaler
from torch import nn


def train(rows, target):
    scaler = MinMaxScaler()
    rows01 = scaler.fit_transform(rows)
    x = torch.tensor(rows, dtype=torch.float32)
    y = torch.tensor(target, dtype=torch.float32)
    model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(200):
        loss = nn.functional.mse_loss(model(x).squeeze(1), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


train(np.load("rows.npy"), np.load("target.npy"))
