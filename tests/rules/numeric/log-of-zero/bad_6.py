import torch
class Policy(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 2)
    def forward(self, s):
        return torch.softmax(self.fc(s), dim=-1)
pi = Policy()
probs = pi(torch.rand(1, 4))
loss = -torch.log(probs[0, 1])
loss.backward()
