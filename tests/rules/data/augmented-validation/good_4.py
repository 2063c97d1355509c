from torchvision import datasets, transforms

augment = transforms.Compose([transforms.RandomCrop(32, padding=4), transforms.RandomHorizontalFlip(), transforms.ToTensor()])
plain = transforms.ToTensor()
train = datasets.CIFAR10("data", train=True, transform=augment, download=True)
test = datasets.CIFAR10("data", train=False, transform=plain, download=True)
