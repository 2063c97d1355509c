from torch.utils.data import DataLoader, Subset
from torchvision import datasets, transforms

augment = transforms.Compose([transforms.RandomCrop(32, padding=4), transforms.ToTensor()])
train_set = datasets.CIFAR10("data", train=True, transform=augment)
plain_set = datasets.CIFAR10("data", train=True, transform=transforms.ToTensor())
train_loader = DataLoader(Subset(train_set, range(45000)), batch_size=64, shuffle=True)
val_loader = DataLoader(Subset(plain_set, range(45000, 50000)), batch_size=64)
