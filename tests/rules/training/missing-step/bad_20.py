import torch


def train(generator, judge, loader, optimizer_g, optimizer_d, rate, epoch):
    for images in loader:
        optimizer_d.zero_grad()
        made = generator(images)
        loss_d = judge(made.detach()).mean() - judge(images).mean()
        loss_d.backward()

        optimizer_g.zero_grad()
        loss_g = (made - images).abs().mean() - judge(made).mean()
        loss_g.backward()
        optimizer_g.step()
        adjust_learning_rate(rate, optimizer_d, epoch)
