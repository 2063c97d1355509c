from keras.datasets import mnist
from keras.models import Sequential
from keras.layers import Dense
from keras.optimizers import Adam
from keras.utils import to_categorical
(x, y), _ = mnist.load_data()
x = x.reshape(-1, 784) / 255.0
y = to_categorical(y)
model = Sequential([Dense(128, activation='relu', input_dim=784), Dense(10, activation='softmax')])
model.compile(Adam(lr=1e-7), 'categorical_crossentropy', metrics=['accuracy'])
model.fit(x, y, epochs=5, batch_size=128)
