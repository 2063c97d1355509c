import torch


def train(encoder, judge, generator, loader, optimizer_e, optimizer_d):
    for x in loader:
        made = generator(encoder(x))
        judged = judge(x).mean() - judge(made.detach()).mean()
        judged.backward()
        optimizer_d.step()

        error = torch.mean((x - made) ** 2) - judge(made).mean()
        optimizer_e.zero_grad()
        error.backward()
        optimizer_e.step()
