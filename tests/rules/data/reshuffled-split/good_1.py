import numpy as np
import tensorflow as tf

rows = tf.data.Dataset.from_tensor_slices((np.random.rand(100, 4), np.random.rand(100)))
rows = rows.shuffle(100, reshuffle_each_iteration=False)
train, test = rows.take(80), rows.skip(80)
