import tensorflow as tf
from keras.layers import Lambda
low = tf.zeros((3,))
l = Lambda(lambda x, a: x * a, arguments={"a": low})
