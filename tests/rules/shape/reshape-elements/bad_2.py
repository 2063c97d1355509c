import numpy as np
images = np.zeros((100, 784))
images = images.reshape(100, 32, 32)
