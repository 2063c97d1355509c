- x = tf.Session()
+ x = tf.compat.v1.Session()
y = x.run(z)
