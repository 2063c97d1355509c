import tensorflow as tf


def read(path):
    picture = tf.image.decode_jpeg(tf.io.read_file(path), channels=3)
    picture = tf.image.convert_image_dtype(picture, tf.float32)
    return tf.image.resize(picture, (64, 64)) / 255.0


pictures = tf.data.Dataset.list_files("pictures/*.jpg").map(read)
