import torch
import torch.nn as nn


class PositionWiseFFN(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)
        self.norm = nn.LayerNorm(d_model)

    def forward(self, x):
        return self.norm(x + self.down(torch.relu(self.up(x))))


class MixerAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.d_model = d_model
        self.attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.norm = nn.LayerNorm(d_model)

    def forward(self, x):
        y, _ = self.attn(x, x, x, need_weights=False)
        gate = torch.sigmoid(nn.Linear(self.d_model, self.d_model)(x))
        return self.norm(x + gate * y)


class SeqClassifier(nn.Module):
    def __init__(self, n_tokens, n_classes, d_model=32, depth=2):
        super().__init__()
        self.embed = nn.Embedding(n_tokens, d_model)
        layers = []
        for _ in range(depth):
            layers += [MixerAttention(d_model, 4), PositionWiseFFN(d_model, 64)]
        self.layers = nn.Sequential(*layers)
        self.out = nn.Linear(d_model, n_classes)

    def forward(self, ids):
        return self.out(self.layers(self.embed(ids)).mean(dim=1))


tokens = torch.randint(0, 30, (256, 10))
target = (tokens == 7).any(dim=1).long()

model = SeqClassifier(30, 2)
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
loss_fn = nn.CrossEntropyLoss()

for epoch in range(4):
    perm = torch.randperm(len(tokens))
    epoch_loss = 0.0
    for chunk in perm.split(32):
        opt.zero_grad()
        loss = loss_fn(model(tokens[chunk]), target[chunk])
        loss.backward()
        opt.step()
        epoch_loss += loss.item() * len(chunk)
    print(f"{epoch}: {epoch_loss / len(tokens):.4f}")
