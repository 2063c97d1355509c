from keras.layers import Input, Dense, Concatenate
a = Input(shape=(4, 8))
b = Input(shape=(5, 8))
c = Concatenate(axis=-1)([a, b])
