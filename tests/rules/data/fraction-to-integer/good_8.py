import glob

import numpy as np
from PIL import Image

names = sorted(glob.glob("*.png"))

pictures = np.zeros((len(names), 64, 64, 3), dtype=np.float32)
for i, name in enumerate(names):
    pictures[i] = np.asarray(Image.open(name).convert("RGB").resize((64, 64))) / 255
