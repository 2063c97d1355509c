import keras
import tensorflow as tf
from keras import layers
x = keras.Input(shape=(4,))
y = layers.UnitNormalization(axis=-1)(layers.Dense(2)(x))
