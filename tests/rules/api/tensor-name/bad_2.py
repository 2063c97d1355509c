import tensorflow as tf
g = tf.Graph()
with tf.Session(graph=g) as s:
    x = g.get_tensor_by_name('input/x')
