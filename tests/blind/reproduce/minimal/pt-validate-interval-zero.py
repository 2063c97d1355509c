import torch
from torch.utils.data import DataLoader

loader = DataLoader(torch.zeros(50, 2), batch_size=64)
interval = int(len(loader) * 0.25)
for step, x in enumerate(loader, start=1):
    if step % interval == 0:
        print("validate")
