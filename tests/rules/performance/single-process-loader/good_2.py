from torch.utils.data import DataLoader
from torchvision import datasets, transforms

steps = transforms.Compose([transforms.Resize(256), transforms.CenterCrop(224), transforms.ToTensor()])
loader = DataLoader(datasets.ImageFolder('train', transform=steps), batch_size=64, shuffle=True, num_workers=8)
