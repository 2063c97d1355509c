import numpy as np

images = np.random.randint(0, 256, (100, 28, 28))
images.astype('float32')
images = images / 255
