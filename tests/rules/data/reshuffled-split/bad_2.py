import tensorflow as tf


def parts(files, size):
    data = tf.data.TFRecordDataset(files).shuffle(1000)
    data = data.batch(32)
    train = data.take(size)
    rest = data.skip(size)
    return train, rest
