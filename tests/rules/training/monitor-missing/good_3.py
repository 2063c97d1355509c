import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

x = np.random.rand(1000, 20)
y = (x[:, 0] > 0.5).astype(int)
model = tf.keras.Sequential([layers.Dense(16, activation='relu', input_shape=(20,)), layers.Dense(1, activation='sigmoid')])
model.compile('adam', 'binary_crossentropy', metrics=['accuracy'])
slower = tf.keras.callbacks.ReduceLROnPlateau(monitor='val_loss', factor=0.5, patience=3)
model.fit(x, y, epochs=50, validation_split=0.2, callbacks=[slower])
