import torch


def train(generator, judge, loader, optimizer_g, optimizer_d, scaler):
    for images in loader:
        optimizer_d.zero_grad()
        made = generator(images)
        loss_d = judge(made.detach()).mean() - judge(images).mean()
        scaler.scale(loss_d).backward()
        scaler.step(optimizer_d)

        optimizer_g.zero_grad()
        loss_g = (made - images).abs().mean() - judge(made).mean()
        loss_g.backward()
        optimizer_g.step()
