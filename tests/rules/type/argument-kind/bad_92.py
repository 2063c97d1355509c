from torchvision import datasets, transforms

steps = transforms.Compose([
    transforms.Resize(32),
    transforms.Normalize((0.5,), (0.5,)),
    transforms.ToTensor(),
])
data = datasets.FashionMNIST('data', transform=steps)
