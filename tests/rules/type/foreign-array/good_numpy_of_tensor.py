import numpy as np
import torch
import torch.nn as nn

conv = nn.Conv2d(1, 8, 3)
images = torch.rand(4, 1, 28, 28)
noisy = np.clip(images + 0.5 * torch.randn(*images.shape), 0.0, 1.0)
print(conv(noisy).shape)
print(np.squeeze(np.transpose(images[0], axes=(1, 2, 0)).numpy(), axis=2))
