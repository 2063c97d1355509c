from keras.models import Sequential
from keras.layers import Dense
from keras.datasets import mnist
from keras.utils import to_categorical
(x, y), _ = mnist.load_data()
x = x.reshape(60000, 784) / 255.0
y = to_categorical(y)
model = Sequential()
model.add(Dense(64, activation='relu', input_dim=784))
for i in range(8):
    model.add(Dense(64, activation='relu'))
model.add(Dense(10, activation='softmax'))
model.compile(optimizer='sgd', loss='categorical_crossentropy', metrics=['acc'])
model.fit(x, y, batch_size=32, epochs=5)
