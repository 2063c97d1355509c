import tensorflow as tf
imgs = tf.random.uniform((8, 28, 32, 3))
x = tf.transpose(imgs, (0, 3, 1, 2))
