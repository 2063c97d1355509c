from keras.layers import *
Dense(1); print(2); len(x)
