import numpy as np
img = np.zeros((28, 28))
img = np.expand_dims(img, 0)
