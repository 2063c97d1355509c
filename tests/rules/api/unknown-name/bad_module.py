import tensorflow as tf

base = tf.keras.application.VGG19(include_top=False, weights=None)
