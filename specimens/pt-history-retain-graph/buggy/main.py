import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)

TEXT = "she sells sea shells by the sea shore, the shells she sells are sea shells. " * 6
ALPHABET = sorted(set(TEXT))


class CharModel(nn.Module):
    def __init__(self, symbols, hidden=32):
        super().__init__()
        self.embed = nn.Embedding(symbols, hidden)
        self.cell = nn.GRUCell(hidden, hidden)
        self.out = nn.Linear(hidden, symbols)

    def forward(self, ids, state):
        logits = []
        for t in range(ids.shape[1]):
            state = self.cell(self.embed(ids[:, t]), state)
            logits.append(self.out(state))
        return torch.stack(logits, dim=1), state


def chunks(rows=4, length=12):
    """The text in parallel rows, cut into chunks that continue each other."""
    ids = torch.tensor([ALPHABET.index(c) for c in TEXT])
    ids = ids[:len(ids) // rows * rows].view(rows, -1)
    for start in range(0, ids.shape[1] - length - 1, length):
        yield ids[:, start:start + length], ids[:, start + 1:start + length + 1]


def train(seed, watch=lambda loss: None):
    """One pass over the text; `watch` sees each loss before its backward pass."""
    torch.manual_seed(seed)
    model = CharModel(len(ALPHABET))
    state = torch.zeros(4, 32)
    losses = []
    for inputs, targets in chunks():
        logits, state = model(inputs, state)
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        watch(loss)
        grads = torch.autograd.grad(loss, list(model.parameters()), retain_graph=True)
        with torch.no_grad():
            for parameter, grad in zip(model.parameters(), grads):
                parameter.data -= 0.5 * grad
        losses.append(loss.item())
    return losses


if __name__ == "__main__":
    print("losses", [round(value, 3) for value in train(seed=0)])
