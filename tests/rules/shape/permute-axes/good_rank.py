import tensorflow as tf


def returns(rewards, time_major=False):
    if rewards.shape.rank > 1 and not time_major:
        rewards = tf.transpose(rewards, perm=[1, 0])
    return tf.cumsum(rewards)


returns(tf.ones((20,)))
beta = tf.random.gamma(shape=[1], alpha=[0.2])
print(beta[0][0])
