import tensorflow as tf


def parts(files, size):
    data = tf.data.TFRecordDataset(files).batch(32)
    train = data.take(size).shuffle(1000)
    rest = data.skip(size)
    return train, rest
