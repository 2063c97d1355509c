import numpy as np

lines = open("numbers.txt").read().split()
x = np.array(list(map(float, lines)))
y = np.fromiter(map(float, lines), dtype=float)
z = np.array([float(n) for n in lines])
print(x.mean(), y.mean(), z.mean(), sum(map(float, lines)))
