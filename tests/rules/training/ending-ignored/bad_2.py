import torch


def update(policy, target, batch, optimizer, gamma):
    state, action, reward, next_state, done = zip(*batch)
    with torch.no_grad():
        goal = torch.stack(reward) + gamma * target(torch.stack(next_state)).max(1)[0]
    value = policy(torch.stack(state)).gather(1, torch.stack(action))[:, 0]
    loss = torch.nn.functional.smooth_l1_loss(value, goal)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
