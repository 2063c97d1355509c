import torch, torch.nn as nn
from torch.utils.data import DataLoader
from torch.nn.utils.rnn import pad_sequence
def collate(batch):
    xs, ys = zip(*batch)
    return pad_sequence(xs, batch_first=True), torch.tensor(ys)
data = [(torch.randint(1, 100, (n,)), n % 2) for n in range(3, 40)]
loader = DataLoader(data, batch_size=8, shuffle=True, collate_fn=collate)
class Clf(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(100, 16, padding_idx=0)
        self.lstm = nn.LSTM(16, 32, batch_first=True)
        self.fc = nn.Linear(32, 2)
    def forward(self, x):
        out, (h, c) = self.lstm(self.emb(x))
        return self.fc(out[:, -1, :])
model = Clf(); opt = torch.optim.Adam(model.parameters())
for x, y in loader:
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad(); loss.backward(); opt.step()
