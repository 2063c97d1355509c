import numpy as np

images = np.random.rand(100, 28, 28)
labels = np.random.randint(0, 10, 100)
rng = np.random.default_rng(0)
rng.shuffle(images)
rng.shuffle(labels)
