import numpy as np

table = np.loadtxt("readings.csv", delimiter=",")
std = table.std(axis=0)
std[std == 0] = 1.0
x = (table - table.mean(axis=0)) / std
whole = (table - table.mean()) / table.std()
