from keras.layers import Input, Dense
from keras.models import Model
from keras.datasets import mnist
(x, _), (xt, _) = mnist.load_data()
x = x.reshape(60000, 784) / 255.0
inp = Input((784,))
code = Dense(32, activation='relu')(inp)
out = Dense(784, activation='sigmoid')(code)
ae = Model(inp, out)
ae.compile('adam', 'binary_crossentropy')
ae.fit(x, x, epochs=10, batch_size=256)
