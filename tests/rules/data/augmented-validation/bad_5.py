import torch
from torchvision import datasets
import torchvision.transforms as transforms
tf = transforms.Compose([transforms.RandomResizedCrop(224), transforms.RandomRotation(15), transforms.ToTensor()])
train_ds = datasets.ImageFolder('data/train', transform=tf)
val_ds = datasets.ImageFolder('data/val', transform=tf)
val_loader = torch.utils.data.DataLoader(val_ds, batch_size=32)
