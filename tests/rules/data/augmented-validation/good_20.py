from torch.utils.data import DataLoader, Dataset
from torchvision import transforms


class Scans(Dataset):
    def __init__(self, paths, transform):
        self.paths = paths
        self.transform = transform

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, i):
        return self.transform(load(self.paths[i]))


def build(train_paths, val_paths):
    chain = transforms.Compose([transforms.RandomHorizontalFlip(), transforms.ToTensor()])
    datasetTrain = Scans(train_paths, chain)
    datasetVal = Scans(val_paths, transforms.Compose([transforms.ToTensor()]))
    return DataLoader(datasetTrain, shuffle=True), DataLoader(datasetVal)
