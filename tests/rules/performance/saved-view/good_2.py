import torch

features = torch.randn(5000, 128)
torch.save({"sample": features[:10].clone(), "epoch": 3}, "sample.pt")
