import numpy as np
import tensorflow as tf

MOVES = ["stay", "left", "right"]


def make_positions(count, seed):
    """Where is the ball, relative to the goalkeeper? The label is the move to make."""
    rng = np.random.RandomState(seed)
    ball = rng.uniform(-1, 1, (count, 2)).astype("float32")
    move = np.where(np.abs(ball[:, 0]) < 0.3, 0, np.where(ball[:, 0] < 0, 1, 2))
    return ball, move.astype("int32")


class Goalkeeper(object):
    def __init__(self, hidden=16):
        tf.set_random_seed(0)
        self.ball = tf.placeholder(tf.float32, [None, 2])
        self.move = tf.placeholder(tf.int32, [None])
        layer = tf.layers.dense(self.ball, hidden, activation=tf.nn.tanh)
        self.logits = tf.layers.dense(layer, len(MOVES))
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(self.logits, self.move)
        self.loss = tf.reduce_mean(losses)
        self.train_op = tf.train.AdamOptimizer(0.02).minimize(self.loss)
        self.session = tf.Session()
        self.session.run(tf.global_variables_initializer())

    def train(self, steps=300):
        for step in range(steps):
            ball, move = make_positions(64, step)
            self.session.run(self.train_op, {self.ball: ball, self.move: move})
        return self

    def decide(self, ball):
        return self.session.run(self.logits, {self.ball: ball}).argmax(axis=1)


if __name__ == "__main__":
    positions, moves = make_positions(10, 1000)
    print(Goalkeeper().train().decide(positions), moves)
