import os, torch, torch.nn as nn
from torch.utils.data import Dataset, DataLoader
from PIL import Image
import torchvision.transforms as T
class Pets(Dataset):
    def __init__(self, root):
        self.paths, self.targets = [], []
        for idx, cls in enumerate(sorted(os.listdir(root))):
            for fn in os.listdir(os.path.join(root, cls)):
                self.paths.append(os.path.join(root, cls, fn))
                self.targets.append(idx)
        self.t = T.Compose([T.Resize((64, 64)), T.ToTensor()])
    def __len__(self):
        return len(self.paths)
    def __getitem__(self, i):
        return self.t(Image.open(self.paths[i])), self.targets[i]
train_loader = DataLoader(Pets("pets"), batch_size=32)
net = nn.Sequential(nn.Flatten(), nn.Linear(3 * 64 * 64, 10))
opt = torch.optim.Adam(net.parameters(), 1e-3)
loss_fn = nn.CrossEntropyLoss()
for epoch in range(10):
    for batch_idx, (data, target) in enumerate(train_loader):
        opt.zero_grad()
        loss = loss_fn(net(data), target)
        loss.backward()
        opt.step()
