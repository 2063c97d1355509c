import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torch import nn


class Cola(pl.LightningModule):
    def __init__(self, width):
        super().__init__()
        self.out = nn.Linear(width, 2)

    def forward(self, x):
        return self.out(x)

    def training_step(self, batch, batch_idx):
        loss = F.cross_entropy(self(batch["x"]), batch["label"])
        self.log("train_loss", loss, prog_bar=True)
        return {"loss": loss}

    def validation_step(self, batch, batch_idx):
        self.log("val_loss", F.cross_entropy(self(batch["x"]), batch["label"]))

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)
