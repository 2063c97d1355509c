import tensorflow as tf
from tensorflow.keras.applications import VGG16

base = VGG16(weights=None, include_top=False, input_shape=(224, 224, 3))
x = tf.keras.layers.GlobalAveragePooling2D()(base.output)
scores = tf.keras.layers.Dense(1, activation="sigmoid")(x)
