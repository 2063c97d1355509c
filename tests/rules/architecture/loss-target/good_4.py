from keras.layers import Input, Dense
from keras.models import Model
from keras.datasets import mnist
(x_train, _), (x_test, _) = mnist.load_data()
x_train = x_train.reshape(60000, 784).astype('float32') / 255.
inp = Input(shape=(784,))
enc = Dense(32, activation='relu')(inp)
dec = Dense(784, activation='sigmoid')(enc)
auto = Model(inp, dec)
auto.compile(optimizer='adadelta', loss='binary_crossentropy')
auto.fit(x_train, x_train, epochs=50, batch_size=256)
