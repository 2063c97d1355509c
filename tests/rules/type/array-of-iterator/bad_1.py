import numpy as np

lines = open("numbers.txt").read().split()
x = np.array(map(float, lines))
print(x.mean())
