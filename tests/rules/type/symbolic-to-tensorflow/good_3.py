import keras
import tensorflow as tf
from keras import layers
x = keras.Input(shape=(4,))
y = layers.Concatenate(axis=1)([x, x])
