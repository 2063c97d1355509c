import numpy as np

losses = np.random.rand(8)
every = len(losses) // 10
for i, loss in enumerate(losses):
    if i % every == 0:
        print(i, loss)
