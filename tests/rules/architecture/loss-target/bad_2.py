from tensorflow.keras.datasets import mnist
from tensorflow.keras import layers, models
(x, y), _ = mnist.load_data()
x = x.reshape((60000, 784)).astype('float32') / 255
model = models.Sequential()
model.add(layers.Dense(512, activation='relu', input_shape=(784,)))
model.add(layers.Dense(1, activation='sigmoid'))
model.compile(optimizer='rmsprop', loss='binary_crossentropy', metrics=['accuracy'])
model.fit(x, y, epochs=5, batch_size=128)
