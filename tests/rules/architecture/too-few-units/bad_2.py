from keras.datasets import cifar10
from keras.models import Sequential
from keras.layers import Dense, Flatten

(x, y), _ = cifar10.load_data()
model = Sequential([Flatten(input_shape=(32, 32, 3)), Dense(64, activation='relu'), Dense(2, activation='softmax')])
model.compile('adam', 'sparse_categorical_crossentropy')
model.fit(x / 255.0, y, epochs=5)
