import torch
import torch.nn as nn

IMAGE_SIDE = 50


def double_conv(a, b):
    return nn.Sequential(
        nn.Conv2d(a, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU(inplace=True),
        nn.Conv2d(b, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    def __init__(self, c_in=1, c_out=1, base=8):
        super().__init__()
        self.d1 = double_conv(c_in, base)
        self.d2 = double_conv(base, base * 2)
        self.mid = double_conv(base * 2, base * 4)
        self.pool = nn.MaxPool2d(2)
        self.u2 = nn.ConvTranspose2d(base * 4, base * 2, 2, stride=2)
        self.c2 = double_conv(base * 4, base * 2)
        self.u1 = nn.ConvTranspose2d(base * 2, base, 2, stride=2)
        self.c1 = double_conv(base * 2, base)
        self.out = nn.Conv2d(base, c_out, 1)

    def forward(self, x):
        s1 = self.d1(x)
        s2 = self.d2(self.pool(s1))
        m = self.mid(self.pool(s2))
        u = self.u2(m, output_size=s2.shape[-2:])
        u = self.c2(torch.cat([u, s2], dim=1))
        u = self.u1(u, output_size=s1.shape[-2:])
        u = self.c1(torch.cat([u, s1], dim=1))
        return self.out(u)


def batch(n):
    mask = torch.zeros(n, 1, IMAGE_SIDE, IMAGE_SIDE)
    for i in range(n):
        a, b = torch.randint(5, IMAGE_SIDE - 15, (2,)).tolist()
        mask[i, 0, a:a + 10, b:b + 10] = 1
    return mask + 0.4 * torch.randn_like(mask), mask


def main():
    net = UNet()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    loss_fn = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(10.0))
    for step in range(6):
        x, m = batch(4)
        opt.zero_grad()
        loss = loss_fn(net(x), m)
        loss.backward()
        opt.step()
        print(step, loss.item())


if __name__ == "__main__":
    main()
