import tensorflow as tf
g = tf.Graph()
names = ['a', 'b']
t = [g.get_tensor_by_name(n + ':0') for n in names]
