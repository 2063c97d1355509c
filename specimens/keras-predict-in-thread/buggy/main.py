from concurrent.futures import ThreadPoolExecutor

import numpy as np
import tensorflow as tf
from keras.layers import Dense
from keras.models import Sequential


class SpamService:
    """Trains at the start, then answers requests in worker threads."""

    def __init__(self, workers=2):
        self.model = self.train()
        self.graph = tf.get_default_graph()
        self.pool = ThreadPoolExecutor(workers)

    @staticmethod
    def train(seed=0):
        rng = np.random.RandomState(seed)
        np.random.seed(seed)
        counts = rng.poisson(2.0, (300, 6)).astype("float32")
        spam = (counts[:, 0] + counts[:, 1] > counts[:, 2] + counts[:, 3]).astype("float32")
        model = Sequential([Dense(8, activation="relu", input_shape=(6,)),
                            Dense(1, activation="sigmoid")])
        model.compile(optimizer="adam", loss="binary_crossentropy")
        model.fit(counts, spam, epochs=30, batch_size=20, verbose=0)
        return model

    def answer(self, counts):
        probability = self.model.predict(np.array([counts], dtype="float32"))
        return float(probability[0, 0])

    def ask(self, counts):
        """Probability of spam; may be called from anywhere."""
        return self.pool.submit(self.answer, counts).result()


if __name__ == "__main__":
    service = SpamService()
    print("spam: %.3f" % service.ask([9, 8, 0, 0, 1, 1]))
    print("spam: %.3f" % service.ask([0, 0, 9, 8, 1, 1]))
