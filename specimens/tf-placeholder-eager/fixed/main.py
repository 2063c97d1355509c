import numpy as np
import tensorflow as tf

v1 = tf.compat.v1


def make_votes(count, seed):
    """Votes of seven judges; the label is the majority."""
    rng = np.random.RandomState(seed)
    votes = rng.randint(0, 2, (count, 7)).astype("float32")
    return votes, (votes.sum(axis=1) > 3.5).astype("float32")


def build():
    v1.set_random_seed(0)
    votes = v1.placeholder(tf.float32, [None, 7])
    label = v1.placeholder(tf.float32, [None])
    weights = v1.get_variable("weights", [7, 1], initializer=v1.zeros_initializer())
    bias = v1.get_variable("bias", [1], initializer=v1.zeros_initializer())
    logit = tf.squeeze(tf.matmul(votes, weights) + bias, axis=1)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=label, logits=logit))
    train = v1.train.GradientDescentOptimizer(1.0).minimize(loss)
    return votes, label, logit, train


def fit(votes, label, logit, train, steps):
    """Share of new votes whose majority is found."""
    x, y = make_votes(400, 0)
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        for _ in range(steps):
            session.run(train, {votes: x, label: y})
        x, y = make_votes(200, 1)
        return float(((session.run(logit, {votes: x}) > 0) == y).mean())


def main():
    with tf.Graph().as_default():
        return fit(*build(), steps=400)


if __name__ == "__main__":
    print("accuracy", main())
