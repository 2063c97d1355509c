import numpy as np
import tensorflow as tf

slim = tf.contrib.slim


def network(samples, reuse=None):
    """Two classes of washing cycles from six currents."""
    with slim.arg_scope([slim.fully_connected], normalizer_fn=slim.batch_norm,
                        activation_fn=tf.nn.relu):
        x = slim.fully_connected(samples, 12, scope="first", reuse=reuse)
        x = slim.fully_connected(x, 12, scope="second", reuse=reuse)
    return slim.fully_connected(x, 2, activation_fn=None, scope="scores", reuse=reuse)


def make_cycles(count, rng):
    kind = rng.randint(0, 2, count)
    return (rng.randn(count, 6) + 1.5 * kind[:, None]).astype("float32"), kind


class Classifier(object):
    def __init__(self, seed):
        self.rng = np.random.RandomState(seed)
        graph = tf.Graph()
        with graph.as_default():
            tf.set_random_seed(seed)
            self.samples = tf.placeholder(tf.float32, [None, 6])
            self.kind = tf.placeholder(tf.int32, [None])
            with slim.arg_scope([slim.batch_norm], decay=0.9, updates_collections=None):
                logits = network(self.samples)
            with slim.arg_scope([slim.batch_norm], is_training=False):
                self.scores = network(self.samples, reuse=True)
            loss = tf.losses.sparse_softmax_cross_entropy(self.kind, logits)
            self.step = tf.train.AdamOptimizer(0.01).minimize(loss)
            start = tf.global_variables_initializer()
        self.session = tf.Session(graph=graph)
        self.session.run(start)

    def train(self, steps=150):
        for _ in range(steps):
            samples, kind = make_cycles(32, self.rng)
            self.session.run(self.step, {self.samples: samples, self.kind: kind})
        return self

    def score(self, samples):
        return self.session.run(self.scores, {self.samples: samples})


if __name__ == "__main__":
    model = Classifier(seed=0).train()
    cycles, _ = make_cycles(10, np.random.RandomState(1))
    print("together", model.score(cycles)[0], "alone", model.score(cycles[:1])[0])
