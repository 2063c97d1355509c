import torch
from torch import nn
import torch.nn.functional as F
import pytorch_lightning as pl
class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(28 * 28, 64)
        self.l2 = nn.Linear(64, 10)
    def forward(self, x):
        return self.l2(F.relu(self.l1(x.view(x.size(0), -1))))
    def training_step(self, batch, idx):
        x, y = batch
        return F.cross_entropy(self(x), y)
    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)
