import lightning.pytorch as pl
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class DefectDetector(pl.LightningModule):
    """Three classes of surface defects, strongly unbalanced."""

    def __init__(self, class_counts, lr=3e-4):
        super().__init__()
        counts = torch.tensor(class_counts, dtype=torch.float32)
        self.register_buffer("class_weight", counts.sum() / (len(counts) * counts))
        self.lr = lr
        self.backbone = nn.Sequential(
            nn.Conv2d(1, 16, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.ReLU(),
            nn.AdaptiveAvgPool2d(1), nn.Flatten(),
        )
        self.head = nn.Linear(32, len(counts))

    def forward(self, x):
        return self.head(self.backbone(x))

    def loss(self, logits, y):
        return F.cross_entropy(logits, y, weight=self.class_weight)

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = self.loss(self(x), y)
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        logits = self(x)
        self.log("val_loss", self.loss(logits, y), prog_bar=True)
        self.log("val_acc", (logits.argmax(1) == y).float().mean())

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=self.lr)


def synthetic(n, probs):
    y = torch.multinomial(torch.tensor(probs), n, replacement=True)
    x = torch.randn(n, 1, 32, 32) + y[:, None, None, None] * 0.3
    return TensorDataset(x, y)


def main():
    probs = [0.85, 0.1, 0.05]
    train_set, val_set = synthetic(2000, probs), synthetic(400, probs)
    counts = torch.bincount(train_set.tensors[1], minlength=3).tolist()
    trainer = pl.Trainer(accelerator="gpu", devices=1, max_epochs=10)
    trainer.fit(
        DefectDetector(counts),
        DataLoader(train_set, batch_size=64, shuffle=True, num_workers=2),
        DataLoader(val_set, batch_size=64, num_workers=2),
    )


if __name__ == "__main__":
    main()
