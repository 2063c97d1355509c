import random

x_train = [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]
y_train = [0, 1, 0]
random.shuffle(x_train)
random.shuffle(y_train)
