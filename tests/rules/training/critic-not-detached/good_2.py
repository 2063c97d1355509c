import torch.nn.functional as F


def update(policy, value_net, states, actions, returns, optimizer):
    values = value_net(states).squeeze(-1)
    log_probs = policy(states).log_prob(actions)
    advantage = (returns - values).detach()
    loss = -(log_probs * advantage).mean() + 0.5 * F.smooth_l1_loss(values, returns)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
