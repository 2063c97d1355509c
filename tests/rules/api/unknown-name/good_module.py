import tensorflow as tf

base = tf.keras.applications.VGG19(include_top=False, weights=None)
