import torch

features = torch.randn(5000, 128)
torch.save({"sample": features[:10], "epoch": 3}, "sample.pt")
