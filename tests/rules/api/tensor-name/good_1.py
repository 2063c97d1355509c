import tensorflow as tf
g = tf.Graph()
x = g.get_tensor_by_name('x:0')
