import torch


def sample(model, eos):
    ids = torch.zeros(1, 1, dtype=torch.long)
    last = None
    while last != eos:
        probabilities = torch.softmax(model(ids)[:, -1], dim=-1)
        last = torch.multinomial(probabilities, 1)
        ids = torch.cat([ids, last], dim=1)
    return ids
