import numpy as np

xs = []
for i in range(4):
    xs.append(i)
