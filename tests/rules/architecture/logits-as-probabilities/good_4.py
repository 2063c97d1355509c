import torch, torch.nn as nn
class Clf(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)
    def forward(self, x):
        return torch.log_softmax(self.fc(x), dim=1)
    def predict_proba(self, x):
        return self.forward(x).exp()
print(Clf().predict_proba(torch.randn(2, 4)))
