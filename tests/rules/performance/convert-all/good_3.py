import numpy as np

frames = np.zeros((500, 64, 64), dtype='uint8')
total = 0.0
for i in range(0, 500, 10):
    total += frames[i:i + 10].astype('float32').sum()
