import torch.nn as nn


class ColourLoss(nn.Module):
    def forward(self, image):
        red, green = image[:, 0].mean(), image[:, 1].mean()
        distance = (red - green).pow(2)
        return distance.sqrt()
