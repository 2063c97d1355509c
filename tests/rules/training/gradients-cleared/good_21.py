import torch


def train(generator, critic, opt_g, opt_c, loader, every):
    for step, x in enumerate(loader):
        opt_c.zero_grad()
        opt_g.zero_grad()
        made = generator(torch.randn(x.size(0), 64))
        (critic(made.detach()).mean() - critic(x).mean()).backward()
        opt_c.step()
        if step % every == 0:
            (-critic(made).mean()).backward()
            opt_g.step()
