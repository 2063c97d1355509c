import torch
from torchvision import datasets, transforms
data_transforms = {
    'train': transforms.Compose([transforms.RandomResizedCrop(224), transforms.RandomHorizontalFlip(), transforms.ToTensor()]),
    'val': transforms.Compose([transforms.RandomResizedCrop(224), transforms.ToTensor()]),
}
image_datasets = {x: datasets.ImageFolder('hymenoptera/' + x, data_transforms[x]) for x in ['train', 'val']}
