from keras.layers import Dense, Input
from keras.models import Model

x = Input(shape=(100,))
code = Dense(16, activation="relu")(x)
model = Model(x, [Dense(100, activation="sigmoid")(code), Dense(1, activation="sigmoid")(code)])
model.compile("adam", loss=["mse", "binary_crossentropy"])
