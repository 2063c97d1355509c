import torch
from torch import nn

END, LONGEST = 1, 50
embed, cell, out = nn.Embedding(20, 16), nn.GRUCell(16, 16), nn.Linear(16, 20)


@torch.no_grad()
def decode(state):
    word, said = torch.tensor([0]), []
    while word.item() != END:
        state = cell(embed(word), state)
        word = out(state).argmax(dim=1)
        said.append(word.item())
    return said


print(decode(torch.zeros(1, 16)))
