import torch
from monai import transforms

train_transform = transforms.Compose(
    [
        transforms.RandShiftIntensityd(keys="image", offsets=0.1, prob=0.5),
        transforms.ToTensord(keys=["image", "label"]),
    ]
)
val_transform = train_transform
