import random

x_train = [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]
y_train = [0, 1, 0]
pairs = list(zip(x_train, y_train))
random.shuffle(pairs)
