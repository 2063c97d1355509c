import tensorflow as tf
g = tf.Graph()
names = ['a', 'b']
t = [g.get_tensor_by_name(n) for n in names]
