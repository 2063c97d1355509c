import tensorflow as tf
g = tf.Graph()
with g.as_default():
    a = tf.constant([1.0, 2.0])
    b = tf.reduce_sum(a)
with g.as_default():
    s = tf.Session()
    v = s.run(b)
