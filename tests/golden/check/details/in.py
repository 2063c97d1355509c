import numpy as np
import torch
from keras.utils import to_categorical

x = torch.zeros(2, 3)
loss = x.sum()
loss.backward()
torch.nn.MultiheadAttention(10, 3)
np.array([[1, 2], [3]], dtype=float)
labels = to_categorical(np.zeros(6, dtype=int))
labels @ np.zeros((4, 2))
labels + np.zeros((5, 2))
