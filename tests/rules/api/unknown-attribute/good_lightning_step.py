import torch
import torch.nn as nn
import torch.nn.functional as F

import pytorch_lightning as pl
class M(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 2)
    def training_step(self, batch, idx):
        x, y = batch
        return F.cross_entropy(self.l(x), y)
    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())
