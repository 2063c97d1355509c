import numpy as np
import tensorflow as tf
from keras.callbacks import ModelCheckpoint
from keras.layers import LSTM
from keras.models import Sequential
from keras.optimizers import SGD

model = Sequential([LSTM(4, consume_less='gpu', input_shape=(3, 2))])
model.compile(SGD(0.1, decay=1e-6), 'mse')
model.fit_generator(batches, samples_per_epoch=2000, nb_epoch=3, callbacks=[ModelCheckpoint('x.h5', period=5)])
y = tf.nn.dropout(tf.zeros((2, 3)), keep_prob=0.8)
print(y, np.histogram(np.zeros(3), normed=True))
