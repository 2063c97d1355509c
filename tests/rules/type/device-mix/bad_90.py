import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
data = datasets.MNIST('data', transform=transforms.ToTensor())
net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10)).to(device)
for images, labels in DataLoader(data, batch_size=16):
    scores = net(images)
