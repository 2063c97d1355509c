from keras.layers import Input, Dense, Lambda
from keras.models import Model
from keras import backend as K
x = Input((784,))
h = Dense(256, activation='relu')(x)
mu = Dense(2)(h)
log_sigma = Dense(2)(h)
def sample(args):
    m, s = args
    return m + K.exp(s) * K.random_normal((32, 2))
z = Lambda(sample)([mu, log_sigma])
out = Dense(784, activation='sigmoid')(z)
m = Model(x, out)
