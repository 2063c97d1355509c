import tensorflow as tf

numbers = tf.data.Dataset.range(100)
shuffled = numbers.shuffle(buffer_size=100).batch(10).repeat(2)
for batch in shuffled.skip(5).take(5):
    print(batch.numpy())
