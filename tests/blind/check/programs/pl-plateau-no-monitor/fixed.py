import argparse

import pytorch_lightning as pl
import torch
import torch.nn as nn
from torch.optim.lr_scheduler import ReduceLROnPlateau
from torch.utils.data import DataLoader, TensorDataset


class SpeechCommands(pl.LightningModule):
    def __init__(self, n_mels=40, n_words=10, lr=1e-3):
        super().__init__()
        self.lr = lr
        self.conv = nn.Sequential(
            nn.Conv1d(n_mels, 64, 5, padding=2), nn.BatchNorm1d(64), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(64, 64, 5, padding=2), nn.BatchNorm1d(64), nn.ReLU(), nn.AdaptiveMaxPool1d(1),
        )
        self.fc = nn.Linear(64, n_words)
        self.criterion = nn.CrossEntropyLoss()

    def forward(self, x):
        return self.fc(self.conv(x).flatten(1))

    def step(self, batch, name):
        x, y = batch
        logits = self(x)
        loss = self.criterion(logits, y)
        self.log(f"{name}_loss", loss, prog_bar=True)
        self.log(f"{name}_acc", (logits.argmax(1) == y).float().mean())
        return loss

    def training_step(self, batch, _):
        return self.step(batch, "train")

    def validation_step(self, batch, _):
        self.step(batch, "val")

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=self.lr)
        scheduler = ReduceLROnPlateau(optimizer, mode="min", factor=0.5, patience=3)
        return {"optimizer": optimizer, "lr_scheduler": scheduler, "monitor": "val_loss"}


def fake_loader(n, shuffle):
    y = torch.randint(0, 10, (n,))
    x = torch.randn(n, 40, 50)
    x[torch.arange(n), y] += 1.5
    return DataLoader(TensorDataset(x, y), batch_size=32, shuffle=shuffle)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=20)
    args = ap.parse_args()
    trainer = pl.Trainer(max_epochs=args.epochs)
    trainer.fit(SpeechCommands(), fake_loader(800, True), fake_loader(200, False))
