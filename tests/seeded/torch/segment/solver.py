import torch
import torch.nn as nn
from torch import optim

from unet import UNet


class Solver(object):
    def __init__(self, config, loader):
        self.config = config
        self.loader = loader
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.unet = UNet()
        self.optimizer = optim.Adam(self.unet.parameters(), config.lr)
        self.criterion = nn.BCEWithLogitsLoss()
        self.unet.to(self.device)

    def train(self):
        for epoch in range(self.config.epochs):
            self.unet.train(True)
            epoch_loss = 0
            for images, masks in self.loader:
                images = images.to(self.device)
                masks = masks.to(self.device)
                outputs = self.unet(images)
                loss = self.criterion(outputs, masks)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                epoch_loss += loss.item()
            print(epoch, epoch_loss)
