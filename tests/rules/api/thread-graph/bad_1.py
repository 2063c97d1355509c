import numpy as np
from keras.models import Sequential, Model
from keras.layers import Dense, Conv2D, Input, Dropout, LSTM
m = Sequential([Dense(1, input_shape=(4,))])
m.compile('adam', 'mse')
x, y = np.zeros((8, 4)), np.zeros(8)
import threading
import tensorflow as tf
from concurrent.futures import ThreadPoolExecutor
graph = tf.get_default_graph()
pool = ThreadPoolExecutor(2)
def run(a):
    return m.predict(a)
pool.submit(run, x).result()
