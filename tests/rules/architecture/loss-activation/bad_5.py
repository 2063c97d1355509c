import tensorflow as tf
(x, y), (xt, yt) = tf.keras.datasets.cifar10.load_data()
x, xt = x / 255.0, xt / 255.0
m = tf.keras.models.Sequential()
m.add(tf.keras.layers.Conv2D(32, (3, 3), activation='relu', input_shape=(32, 32, 3)))
m.add(tf.keras.layers.MaxPooling2D((2, 2)))
m.add(tf.keras.layers.Conv2D(64, (3, 3), activation='relu'))
m.add(tf.keras.layers.Flatten())
m.add(tf.keras.layers.Dense(64, activation='relu'))
m.add(tf.keras.layers.Dense(10, activation='sigmoid'))
m.compile(optimizer='adam', loss='sparse_categorical_crossentropy', metrics=['accuracy'])
m.fit(x, y, epochs=10, validation_data=(xt, yt))
