import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class VAE(nn.Module):
    def __init__(self, d_in=64, d_hid=48, d_z=8):
        super().__init__()
        self.enc = nn.Linear(d_in, d_hid)
        self.mu = nn.Linear(d_hid, d_z)
        self.logvar = nn.Linear(d_hid, d_z)
        self.dec1 = nn.Linear(d_z, d_hid)
        self.dec2 = nn.Linear(d_hid, d_in)

    def sample(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.randn(std.size())
        return mu + eps * std

    def forward(self, x):
        h = F.relu(self.enc(x))
        mu, logvar = self.mu(h), self.logvar(h)
        z = self.sample(mu, logvar)
        return self.dec2(F.relu(self.dec1(z))), mu, logvar


def elbo_loss(logits, x, mu, logvar):
    rec = F.binary_cross_entropy_with_logits(logits, x, reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return (rec + kld) / x.size(0)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=2)
    ap.add_argument("--lr", type=float, default=1e-3)
    args = ap.parse_args()

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = (torch.rand(512, 64) > 0.6).float()
    loader = DataLoader(TensorDataset(data), batch_size=64, shuffle=True)

    model = VAE().to(device)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        running = 0.0
        for (x,) in loader:
            x = x.to(device)
            logits, mu, logvar = model(x)
            loss = elbo_loss(logits, x, mu, logvar)
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item()
        print(f"[{epoch}] {running / len(loader):.2f}")


if __name__ == "__main__":
    main()
