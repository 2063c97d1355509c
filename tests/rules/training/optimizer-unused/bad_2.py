import tensorflow as tf


def build():
    net = tf.keras.Sequential([
        tf.keras.layers.Dense(16, activation='relu', input_shape=(6,)),
        tf.keras.layers.Dense(3, activation='softmax'),
    ])
    adam = tf.keras.optimizers.Adam(learning_rate=3e-4, beta_1=0.95)
    net.compile(optimizer='adam', loss='sparse_categorical_crossentropy')
    return net


build()
