import torch
def greedy(model, src, sos, eos):
    memory = model.encode(src)
    ys = torch.ones(1, 1).fill_(sos).long()
    while True:
        out = model.decode(memory, ys)
        next_word = out[:, -1].argmax(dim=-1).item()
        ys = torch.cat([ys, torch.tensor([[next_word]])], dim=1)
        if next_word == eos:
            break
    return ys
