import torch, torch.nn as nn
class ToyDataset(torch.utils.data.Dataset):
    def __init__(self):
        self.data = []
        for c in range(5):
            for _ in range(100):
                self.data.append((torch.randn(4) + c, c))
    def __len__(self): return len(self.data)
    def __getitem__(self, i): return self.data[i]
train_dl = torch.utils.data.DataLoader(ToyDataset(), batch_size=25)
model = nn.Linear(4, 5)
optim = torch.optim.SGD(model.parameters(), lr=1e-2)
def train():
    model.train()
    for xb, yb in train_dl:
        loss = nn.CrossEntropyLoss()(model(xb), yb)
        loss.backward()
        optim.step()
        optim.zero_grad()
for _ in range(10): train()
