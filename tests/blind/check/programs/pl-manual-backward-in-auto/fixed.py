import pytorch_lightning as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class Mixture(pl.LightningDataModule):
    def __init__(self, batch_size=64):
        super().__init__()
        self.batch_size = batch_size

    def setup(self, stage=None):
        y = torch.randint(0, 4, (1200,))
        centres = torch.tensor([[2.0, 2.0], [-2.0, 2.0], [-2.0, -2.0], [2.0, -2.0]])
        data = TensorDataset(centres[y] + torch.randn(1200, 2), y)
        self.train, self.val = random_split(data, [1000, 200])

    def train_dataloader(self):
        return DataLoader(self.train, self.batch_size, shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.val, self.batch_size)


class MixtureNet(pl.LightningModule):
    def __init__(self, lr=1e-2, l1=1e-4):
        super().__init__()
        self.save_hyperparameters()
        self.layers = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 4))
        self.loss = nn.CrossEntropyLoss()

    def forward(self, x):
        return self.layers(x)

    def penalty(self):
        return sum(p.abs().sum() for p in self.parameters())

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = self.loss(self(x), y) + self.hparams.l1 * self.penalty()
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        logits = self(x)
        self.log("val_loss", self.loss(logits, y))
        self.log("val_acc", (logits.argmax(-1) == y).float().mean(), prog_bar=True)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.hparams.lr, momentum=0.9)


if __name__ == "__main__":
    trainer = pl.Trainer(max_epochs=10, logger=False)
    trainer.fit(MixtureNet(), datamodule=Mixture())
