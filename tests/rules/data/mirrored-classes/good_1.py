from torchvision import datasets, transforms

shift = transforms.Compose([transforms.RandomAffine(10, translate=(0.1, 0.1)), transforms.ToTensor()])
digits = datasets.MNIST("data", train=True, transform=shift)
flip = transforms.Compose([transforms.RandomHorizontalFlip(), transforms.ToTensor()])
clothes = datasets.FashionMNIST("data", train=True, transform=flip)
