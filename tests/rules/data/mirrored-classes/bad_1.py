from torchvision import datasets, transforms

augment = transforms.Compose([transforms.RandomHorizontalFlip(), transforms.ToTensor()])
train_set = datasets.MNIST("data", train=True, transform=augment)
