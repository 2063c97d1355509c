from keras.datasets import mnist
from keras.models import Sequential
from keras.layers import Dense
from keras.utils import to_categorical
(x, y), _ = mnist.load_data()
x = x.reshape(60000, 784) / 255.0
y = to_categorical(y)
model = Sequential([Dense(16, activation='relu', input_dim=784), Dense(10, activation='softmax')])
model.compile('adam', 'categorical_crossentropy', metrics=['accuracy'])
model.fit(x, y, epochs=5)
