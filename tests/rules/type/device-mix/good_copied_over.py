import torch


class Rollout:
    def __init__(self, steps, device):
        self.masks = torch.ones(steps + 1, 4).to(device)

    def insert(self, done):
        self.masks[1].copy_(torch.tensor([0.0 if d else 1.0 for d in done]))


theta = torch.ones(3).cuda()
index = torch.arange(3).type_as(theta)
print(theta * index)
store = Rollout(5, torch.device("cuda"))
store.insert([True, False, True, False])
