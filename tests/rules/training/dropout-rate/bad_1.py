from keras.models import Sequential
from keras.layers import Dense, Dropout
from keras.datasets import mnist
from keras.utils import to_categorical
(x, y), _ = mnist.load_data()
x = x.reshape(60000, 784) / 255.0
y = to_categorical(y)
model = Sequential()
model.add(Dense(256, activation='relu', input_dim=784))
model.add(Dropout(0.95))
model.add(Dense(10, activation='softmax'))
model.compile(optimizer='adam', loss='categorical_crossentropy', metrics=['acc'])
model.fit(x, y, batch_size=32, epochs=5)
