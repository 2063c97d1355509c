import torch, torch.nn as nn
betas = torch.linspace(1e-4, 0.02, 1000)
alphas = torch.cumprod(1 - betas, 0)
net = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 2))
opt = torch.optim.Adam(net.parameters())
for step in range(100):
    x0 = torch.randn(64, 2)
    t = torch.randint(0, 1000, (64,))
    noise = torch.randn_like(x0)
    a = alphas[t].unsqueeze(1)
    xt = a.sqrt() * x0 + (1 - a).sqrt() * noise
    pred = net(torch.cat([xt, t.float().unsqueeze(1) / 1000], dim=1))
    loss = nn.functional.mse_loss(pred, noise)
    opt.zero_grad(); loss.backward(); opt.step()
