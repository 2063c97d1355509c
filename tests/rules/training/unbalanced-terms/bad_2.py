import torch
import torch.nn.functional as F


class Vae(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = torch.nn.Linear(784, 40)
        self.decode = torch.nn.Linear(20, 784)

    def forward(self, x):
        mean, log_var = self.encode(x).chunk(2, dim=1)
        log_var = log_var.clamp(-8, 8)
        z = mean + torch.exp(log_var / 2) * torch.randn_like(mean)
        return torch.sigmoid(self.decode(z)), mean, log_var


model = Vae()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(100):
    x = torch.rand(64, 784)
    y, mean, log_var = model(x)
    kept = F.binary_cross_entropy(y, x)
    spread = -0.5 * torch.sum(1 + log_var - mean.pow(2) - log_var.exp())
    loss = kept + spread
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
