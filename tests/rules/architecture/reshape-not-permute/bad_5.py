import tensorflow as tf
imgs = tf.random.uniform((8, 28, 32, 3))
x = tf.reshape(imgs, (8, 3, 28, 32))
