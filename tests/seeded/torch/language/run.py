import argparse

import torch
import torch.nn as nn

import words

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.001, help="learning rate")
parser.add_argument("--clip", type=float, default=0.25)
parser.add_argument("--steps", type=int, default=35)
args = parser.parse_args()

corpus = torch.randint(0, 1000, (2000, 20))
model = words.Words(1000)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)


def detached(h):
    return tuple(v.detach() for v in h)


def train():
    model.train()
    total = 0.0
    hidden = model.begin(20)
    for i in range(0, corpus.size(0) - 1 - args.steps, args.steps):
        data, targets = corpus[i:i + args.steps], corpus[i + 1:i + 1 + args.steps]
        hidden = detached(hidden)
        optimizer.zero_grad()
        output, hidden = model(data, hidden)
        loss = criterion(output.view(-1, 1000), targets.reshape(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        optimizer.step()
        total += loss.item()
    return total


for epoch in range(40):
    print(epoch, train())
