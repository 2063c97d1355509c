# demand forecasting, notebook style
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import TensorDataset, DataLoader

WINDOW = 14
days = np.arange(600)
demand = 50 + 10 * np.sin(2 * np.pi * days / 7) + 5 * np.sin(2 * np.pi * days / 30)
demand += np.random.default_rng(0).normal(0, 1.5, len(days))

train_part = demand[:480]
m, s = train_part.mean(), train_part.std()
z = ((demand - m) / s).astype(np.float32)


def windows(series):
    xs = np.stack([series[i:i + WINDOW] for i in range(len(series) - WINDOW)])
    ys = series[WINDOW:]
    return torch.from_numpy(xs).unsqueeze(-1), torch.from_numpy(ys)


x_train, y_train = windows(z[:480])          # (N, WINDOW, 1), (N,)
x_test, y_test = windows(z[480 - WINDOW:])

loader = DataLoader(TensorDataset(x_train, y_train), batch_size=32, shuffle=True)


class DemandLSTM(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.lstm = nn.LSTM(input_size=1, hidden_size=hidden, num_layers=1, batch_first=True)
        self.fc = nn.Linear(hidden, 1)

    def forward(self, x):
        out, _ = self.lstm(x)
        last = out[:, -1, :]
        return self.fc(last).squeeze(-1)


model = DemandLSTM()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
criterion = nn.MSELoss()

for epoch in range(8):
    model.train()
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()

model.eval()
with torch.no_grad():
    pred = model(x_test)
rmse = ((pred - y_test) ** 2).mean().sqrt().item() * s
print("test RMSE (units):", round(float(rmse), 2))
