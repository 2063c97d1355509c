import numpy as np
import tensorflow as tf


class LinearModel(object):
    """Least squares on a session that is kept open between calls."""

    def __init__(self, inputs):
        self.x = tf.placeholder(tf.float32, [None, inputs])
        self.y = tf.placeholder(tf.float32, [None, 1])
        self.weights = tf.Variable(tf.zeros([inputs, 1]), name="weights")
        self.loss = tf.reduce_mean(tf.square(tf.matmul(self.x, self.weights) - self.y))
        self.session = tf.Session()
        self.session.run(tf.global_variables_initializer())

    def evaluate(self, x, y):
        return self.session.run(self.loss, {self.x: x, self.y: y})

    def optimise(self, x, y, steps, rate=0.05):
        train = tf.train.MomentumOptimizer(rate, momentum=0.9).minimize(self.loss)
        for _ in range(steps):
            self.session.run(train, {self.x: x, self.y: y})
        return self.session.run(self.weights)


def make_data(count, seed):
    rng = np.random.RandomState(seed)
    x = rng.randn(count, 3).astype("float32")
    return x, x.dot([[1.0], [-2.0], [0.5]]).astype("float32")


def main():
    x, y = make_data(200, 0)
    model = LinearModel(3)
    before = model.evaluate(x, y)
    weights = model.optimise(x, y, steps=200)
    return before, model.evaluate(x, y), weights


if __name__ == "__main__":
    print(main())
