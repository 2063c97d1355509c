import matplotlib.pyplot as plt
from torch import nn
from torchvision import transforms

CLASSES = ["cat", "dog"]
augment = transforms.Compose([transforms.RandomHorizontalFlip(), transforms.ToTensor()])
net = nn.Sequential(nn.Flatten(), nn.Linear(3 * 32 * 32, len(CLASSES)))
loss_fn = nn.CrossEntropyLoss()
figure, axes = plt.subplots()
for side in ["left", "right"]:
    axes.spines[side].set_visible(False)
