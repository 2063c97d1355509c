from keras.layers import Input, Dense, Concatenate
a = Input(shape=(5, 8))
b = Input(shape=(5, 3))
c = Concatenate(axis=-1)([a, b])
