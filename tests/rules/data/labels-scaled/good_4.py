from tensorflow.keras.datasets import fashion_mnist
from tensorflow import keras
(x, y), (xt, yt) = fashion_mnist.load_data()
x = x / 255.0
m = keras.Sequential([keras.layers.Flatten(input_shape=(28, 28)), keras.layers.Dense(64, activation='relu'), keras.layers.Dense(10, activation='softmax')])
m.compile('adam', 'sparse_categorical_crossentropy')
m.fit(x, y, epochs=5)
