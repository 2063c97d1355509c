from torchvision import models

net = models.resnet18()
net.fc.out_features = 7
