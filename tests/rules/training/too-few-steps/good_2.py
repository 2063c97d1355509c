import numpy as np
import tensorflow as tf
X = np.array([[0.,0.],[0.,1.],[1.,0.],[1.,1.]])
y = np.array([[0.],[1.],[1.],[0.]])
model = tf.keras.Sequential([
    tf.keras.layers.Dense(8, activation='tanh', input_shape=(2,)),
    tf.keras.layers.Dense(1, activation='sigmoid')])
model.compile(optimizer=tf.keras.optimizers.SGD(learning_rate=0.5), loss='binary_crossentropy', metrics=['accuracy'])
model.fit(X, y, epochs=5000, verbose=0)
