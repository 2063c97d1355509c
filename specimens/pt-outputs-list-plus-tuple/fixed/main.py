import torch
from torch import nn

torch.set_num_threads(1)


class Block(nn.Module):
    def __init__(self, dimension, heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(dimension, heads, batch_first=True)
        self.feed = nn.Sequential(nn.Linear(dimension, 2 * dimension), nn.ReLU(),
                                  nn.Linear(2 * dimension, dimension))
        self.norm1, self.norm2 = nn.LayerNorm(dimension), nn.LayerNorm(dimension)

    def forward(self, x, past=None):
        memory = x if past is None else torch.cat([past, x], dim=1)
        mixed, _ = self.attention(x, memory, memory, need_weights=False)
        x = self.norm1(x + mixed)
        return self.norm2(x + self.feed(x)), memory


class SmallDecoder(nn.Module):
    def __init__(self, words=30, dimension=16, layers=3, output_hidden_states=False):
        super().__init__()
        self.output_hidden_states = output_hidden_states
        self.embed = nn.Embedding(words, dimension)
        self.blocks = nn.ModuleList(Block(dimension, 2) for _ in range(layers))
        self.head = nn.Linear(dimension, words)

    def forward(self, tokens, past=None):
        """(logits, past) or (logits, past, hidden states of each layer)."""
        x = self.embed(tokens)
        hidden, presents = [x], []
        for number, block in enumerate(self.blocks):
            x, memory = block(x, None if past is None else past[number])
            presents.append(memory)
            hidden.append(x)
        outputs = (self.head(x), tuple(presents))
        if self.output_hidden_states:
            outputs = outputs + (tuple(hidden),)
        return outputs


def layer_norms(tokens, seed=0):
    """Mean length of the token vectors after each layer."""
    torch.manual_seed(seed)
    model = SmallDecoder(output_hidden_states=True).eval()
    with torch.no_grad():
        states = model(tokens)[2]
    return [float(state.norm(dim=-1).mean()) for state in states]


if __name__ == "__main__":
    print(layer_norms(torch.tensor([[3, 14, 15, 9, 26]])))
