from tensorflow.keras import Model, Sequential
from tensorflow.keras.layers import Dense, Input

generator = Sequential([Dense(256, activation="relu", input_dim=10), Dense(784, activation="tanh")])
generator.compile(loss="binary_crossentropy", optimizer="adam")
discriminator = Sequential([Dense(256, activation="relu", input_dim=784), Dense(1, activation="sigmoid")])
discriminator.compile(loss="binary_crossentropy", optimizer="adam")
discriminator.trainable = False
z = Input(shape=(10,))
gan = Model(z, discriminator(generator(z)))
gan.compile(loss="binary_crossentropy", optimizer="adam")
