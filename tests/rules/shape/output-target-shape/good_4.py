from tensorflow.keras.datasets import mnist
from tensorflow.keras import layers, models
(x, y), _ = mnist.load_data()
x = x.reshape((60000, 28 * 28)).astype('float32') / 255
model = models.Sequential()
model.add(layers.Dense(512, activation='relu', input_shape=(28 * 28,)))
model.add(layers.Dense(10, activation='softmax'))
model.compile(optimizer='rmsprop', loss='sparse_categorical_crossentropy', metrics=['accuracy'])
model.fit(x, y, epochs=5, batch_size=128)
