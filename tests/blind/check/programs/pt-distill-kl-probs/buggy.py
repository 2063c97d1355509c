import torch
import torch.nn as nn
import torch.nn.functional as F


def make_mlp(width, depth, d_in=20, classes=4):
    mods, prev = [], d_in
    for _ in range(depth):
        mods += [nn.Linear(prev, width), nn.ReLU()]
        prev = width
    mods.append(nn.Linear(prev, classes))
    return nn.Sequential(*mods)


class DistillLoss(nn.Module):
    def __init__(self, temperature=3.0, alpha=0.7):
        super().__init__()
        self.t = temperature
        self.alpha = alpha
        self.kl = nn.KLDivLoss(reduction="batchmean")

    def forward(self, student, teacher, labels):
        s = F.softmax(student / self.t, dim=1)
        p = F.softmax(teacher / self.t, dim=1)
        soft = self.kl(s, p) * self.t ** 2
        hard = F.cross_entropy(student, labels)
        return self.alpha * soft + (1 - self.alpha) * hard


def fit_teacher(x, y):
    teacher = make_mlp(128, 2)
    opt = torch.optim.Adam(teacher.parameters(), lr=2e-3)
    for _ in range(60):
        opt.zero_grad()
        F.cross_entropy(teacher(x), y).backward()
        opt.step()
    return teacher.eval()


def fit_student(teacher, x, y, epochs=5, batch=50):
    student = make_mlp(16, 1)
    criterion = DistillLoss()
    opt = torch.optim.Adam(student.parameters(), lr=2e-3)
    for epoch in range(epochs):
        student.train()
        for idx in torch.randperm(len(x)).split(batch):
            with torch.no_grad():
                t_logits = teacher(x[idx])
            loss = criterion(student(x[idx]), t_logits, y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
        print("student epoch", epoch, "loss", round(loss.item(), 4))
    return student


if __name__ == "__main__":
    x = torch.randn(500, 20)
    y = (x[:, :4] + 0.2 * torch.randn(500, 4)).argmax(1)
    fit_student(fit_teacher(x, y), x, y)
