from keras import backend as K
from keras.layers import Dense, Input, Lambda
from keras.models import Model, Sequential


def distance(pair):
    a, b = pair
    return K.sqrt(K.maximum(K.sum(K.square(a - b), axis=1, keepdims=True), K.epsilon()))


base = Sequential([Dense(32, activation='relu', input_dim=10), Dense(8)])
left, right = Input(shape=(10,)), Input(shape=(10,))
model = Model([left, right], Lambda(distance)([base(left), base(right)]))
