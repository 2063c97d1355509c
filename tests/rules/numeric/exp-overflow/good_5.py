import torch, torch.nn as nn
class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(784, 400)
        self.mu = nn.Linear(400, 20)
        self.logvar = nn.Linear(400, 20)
        self.dec = nn.Linear(20, 784)
    def forward(self, x):
        h = torch.relu(self.enc(x))
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.exp(logvar.clamp(-10, 10)) * torch.randn_like(mu)
        return torch.sigmoid(self.dec(z)), mu, logvar
vae = VAE()
out, mu, lv = vae(torch.rand(8, 784))
loss = ((out - 0.5) ** 2).mean()
