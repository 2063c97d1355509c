import torch
import torch.nn as nn
import torch.nn.functional as F
import pytorch_lightning as pl


class Net(pl.LightningModule):
    def __init__(self, width=16):
        super().__init__()
        self.save_hyperparameters()
        self.layer = nn.Linear(width, 2)

    def training_step(self, batch, index):
        x, y = batch
        loss = F.cross_entropy(self.layer(x.to(self.device)), y)
        self.log("loss", loss, on_step=True)
        if self.global_step % 100 == 0:
            self.logger.experiment.add_scalar("loss", loss, self.current_epoch)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)
