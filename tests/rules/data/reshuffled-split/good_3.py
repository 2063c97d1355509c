import tensorflow as tf

data = tf.data.Dataset.range(1000)
test = data.take(200)
train = data.skip(200)
train = train.shuffle(buffer_size=800, seed=7).batch(10)
