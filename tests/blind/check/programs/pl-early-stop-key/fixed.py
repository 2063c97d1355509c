import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from pytorch_lightning.callbacks import EarlyStopping
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class LitRegressor(pl.LightningModule):
    def __init__(self, n_features, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Linear(n_features, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = F.mse_loss(self(x), y)
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        self.log("valid_loss", F.mse_loss(self(x), y), prog_bar=True)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.hparams.lr)


def loaders(n=1000, d=8):
    x = torch.randn(n, d)
    y = x[:, 0] - 2 * x[:, 1] + 0.1 * torch.randn(n)
    train, valid = TensorDataset(x[:800], y[:800]), TensorDataset(x[800:], y[800:])
    return DataLoader(train, batch_size=32, shuffle=True), DataLoader(valid, batch_size=200)


def main():
    train_dl, valid_dl = loaders()
    model = LitRegressor(8)
    stopper = EarlyStopping(monitor="valid_loss", patience=3, mode="min")
    trainer = pl.Trainer(max_epochs=50, callbacks=[stopper], enable_checkpointing=False)
    trainer.fit(model, train_dl, valid_dl)


if __name__ == "__main__":
    main()
