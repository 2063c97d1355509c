import numpy as np
from keras.layers import Dense, Input
from keras.models import Model


class Gan:
    def __init__(self):
        self.judge = self.build_judge()
        self.judge.compile(loss="binary_crossentropy", optimizer="adam")
        self.maker = self.build_maker()
        noise = Input(shape=(10,))
        self.combined = Model(noise, self.judge(self.maker(noise)))
        self.combined.compile(loss="binary_crossentropy", optimizer="adam")

    def build_judge(self):
        x = Input(shape=(30,))
        return Model(x, Dense(1, activation="sigmoid")(Dense(20, activation="relu")(x)))

    def build_maker(self):
        z = Input(shape=(10,))
        return Model(z, Dense(30, activation="tanh")(Dense(20, activation="relu")(z)))

    def train(self, rows, steps):
        for _ in range(steps):
            noise = np.random.normal(size=(16, 10))
            self.judge.train_on_batch(rows.sample(16), np.ones((16, 1)))
            self.judge.train_on_batch(self.maker.predict(noise), np.zeros((16, 1)))
            self.combined.train_on_batch(noise, np.ones((16, 1)))


Gan().train(load_rows(), 1000)
