import torch


def sample(model, eos):
    ids = torch.zeros(1, 1, dtype=torch.long)
    last = None
    for _ in range(100):
        probabilities = torch.softmax(model(ids)[:, -1], dim=-1)
        last = torch.multinomial(probabilities, 1)
        ids = torch.cat([ids, last], dim=1)
    return ids
