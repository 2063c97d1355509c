import tensorflow as tf

data = tf.data.Dataset.range(1000)
data = data.shuffle(buffer_size=1000, seed=7)
test = data.take(200)
train = data.skip(200).batch(10)
