from torch.utils.data import DataLoader, random_split
from torchvision import datasets, transforms

augment = transforms.Compose([transforms.RandomCrop(32, padding=4), transforms.ToTensor()])
whole = datasets.CIFAR10("data", train=True, transform=augment)
train_set, val_set = random_split(whole, [45000, 5000])
train_loader = DataLoader(train_set, batch_size=64, shuffle=True)
val_loader = DataLoader(val_set, batch_size=64)
