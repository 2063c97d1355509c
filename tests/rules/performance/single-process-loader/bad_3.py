from torch.utils.data import DataLoader
from torchvision import datasets, transforms

steps = transforms.Compose([transforms.Resize((64, 64)), transforms.ColorJitter(0.2), transforms.ToTensor(), transforms.Normalize([0.5] * 3, [0.5] * 3)])
loader = DataLoader(datasets.ImageFolder('train', transform=steps), batch_size=64, shuffle=True)
