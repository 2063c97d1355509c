from keras.layers import Dense, Flatten
from keras.models import Sequential

actions = 2
model = Sequential([Flatten(input_shape=(1, 3)), Dense((actions * actions + actions) / 2)])
