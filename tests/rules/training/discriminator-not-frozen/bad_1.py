import numpy as np
from keras.layers import Dense, Input
from keras.models import Model, Sequential

generator = Sequential([Dense(64, activation="relu", input_dim=16), Dense(28, activation="tanh")])
discriminator = Sequential([Dense(64, activation="relu", input_dim=28), Dense(1, activation="sigmoid")])
discriminator.compile(loss="binary_crossentropy", optimizer="adam")

z = Input(shape=(16,))
gan = Model(z, discriminator(generator(z)))
gan.compile(loss="binary_crossentropy", optimizer="adam")

for step in range(1000):
    noise = np.random.normal(size=(32, 16))
    discriminator.train_on_batch(real_rows(32), np.ones((32, 1)))
    discriminator.train_on_batch(generator.predict(noise), np.zeros((32, 1)))
    gan.train_on_batch(noise, np.ones((32, 1)))
