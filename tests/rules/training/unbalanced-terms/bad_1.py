from keras import backend as K
from keras.layers import Dense, Input, Lambda
from keras.losses import binary_crossentropy
from keras.models import Model

x = Input(shape=(784,))
h = Dense(256, activation="relu")(x)
mean = Dense(2)(h)
log_var = Dense(2)(h)
z = Lambda(lambda p: p[0] + K.exp(K.clip(p[1], -8, 8) / 2) * K.random_normal(K.shape(p[0])))([mean, log_var])
y = Dense(784, activation="sigmoid")(Dense(256, activation="relu")(z))


def vae_loss(true, pred):
    kept = binary_crossentropy(true, pred)
    spread = -0.5 * K.sum(1 + log_var - K.square(mean) - K.exp(K.clip(log_var, -8, 8)), axis=-1)
    return kept + spread


vae = Model(x, y)
vae.compile("adam", loss=vae_loss)
