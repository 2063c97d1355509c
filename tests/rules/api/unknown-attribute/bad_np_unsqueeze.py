import numpy as np
img = np.zeros((28, 28))
img = img.unsqueeze(0)
