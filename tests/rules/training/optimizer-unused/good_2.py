import tensorflow as tf

net = tf.keras.Sequential([
    tf.keras.layers.Dense(16, activation='relu', input_shape=(6,)),
    tf.keras.layers.Dense(3, activation='softmax'),
])
net.compile(optimizer='adam', loss='sparse_categorical_crossentropy')
fine = tf.keras.optimizers.Adam(learning_rate=1e-5)
net.compile(optimizer=fine, loss='sparse_categorical_crossentropy')
