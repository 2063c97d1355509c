from torch import nn

mse_loss = nn.MSELoss()


def finish(log_prob, baseline, target, optimizer):
    loss = -log_prob * (target - baseline)
    total = loss.mean() + mse_loss(baseline, target)
    optimizer.zero_grad()
    total.backward()
    optimizer.step()
