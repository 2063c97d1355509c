from torch.utils.data import DataLoader
from torchvision import datasets, transforms

steps = transforms.Compose([transforms.RandomResizedCrop(224), transforms.RandomHorizontalFlip(), transforms.ToTensor()])
loader = DataLoader(datasets.ImageFolder('train', transform=steps), batch_size=64, shuffle=True, num_workers=4)
