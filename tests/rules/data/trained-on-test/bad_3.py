import numpy as np
from keras.layers import Dense, Input
from keras.models import Model

xTrain, xTest = np.load("train.npy"), np.load("test.npy")
inputs = Input(shape=(40,))
code = Dense(8, activation="relu")(inputs)
outputs = Dense(40)(code)
autoencoder = Model(inputs, outputs)
autoencoder.compile(optimizer="adam", loss="mse")
autoencoder.fit(xTest, xTest, epochs=30, batch_size=64)
print(np.mean(xTrain), autoencoder.evaluate(xTest, xTest))
