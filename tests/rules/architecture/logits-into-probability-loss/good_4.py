import tensorflow as tf
(x, y), (xt, yt) = tf.keras.datasets.cifar10.load_data()
x, xt = x / 255.0, xt / 255.0
m = tf.keras.models.Sequential()
m.add(tf.keras.layers.Conv2D(32, (3, 3), activation='relu', input_shape=(32, 32, 3)))
m.add(tf.keras.layers.GlobalAveragePooling2D())
m.add(tf.keras.layers.Dense(10))
m.compile(optimizer='adam', loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=['accuracy'])
m.fit(x, y, epochs=10, validation_data=(xt, yt))
