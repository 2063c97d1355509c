import torch


def run(model, opt, scaler, loader, mixed):
    for x, y in loader:
        with torch.autocast("cuda", enabled=mixed):
            loss = (model(x) - y).abs().mean()
        if not mixed:
            opt.zero_grad()
            loss.backward()
            opt.step()
        else:
            scaler.scale(loss).backward()
            scaler.step(opt)
            scaler.update()
