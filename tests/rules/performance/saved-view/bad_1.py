import torch

pictures = torch.rand(1000, 3, 64, 64)
worst = pictures[17]
torch.save(worst, "worst.pt")
