import torch
from torch import nn
from tqdm import tqdm


def run(train_l, test_l, epochs):
    classifier = nn.Sequential(nn.Linear(8, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 2))
    optim = torch.optim.Adam(classifier.parameters(), lr=1e-4)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        batch = tqdm(train_l)
        for x, target in batch:
            optim.zero_grad()
            loss = criterion(classifier(x), target)
            loss.backward()
            optim.step()
        batch = tqdm(test_l)
        right = 0
        for x, target in batch:
            right += (classifier(x).argmax(1) == target).sum().item()
        print(epoch, right)
