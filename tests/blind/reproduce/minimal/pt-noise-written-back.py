import torch
from torch.utils.data import Dataset


class Heartbeats(Dataset):
    beats = torch.zeros(160, 30)

    def __getitem__(self, index):
        beat = self.beats[index]
        beat += 0.3 * torch.randn(30)
        return beat


torch.manual_seed(0)
dataset = Heartbeats()
before = dataset.beats.clone()
for epoch in range(15):
    for index in range(160):
        dataset[index]
print("metric drift 0", (dataset.beats - before).pow(2).mean().sqrt().item())
