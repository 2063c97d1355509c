from keras import backend as K
from keras.layers import Dense
from keras.models import Sequential


def weighted(w):
    def loss(y_true, y_pred):
        return -K.mean(w * y_true * K.log(y_pred) + (1 - y_true) * K.log(1 - y_pred))
    return loss


model = Sequential()
model.add(Dense(16, activation='relu', input_dim=8))
model.add(Dense(1, activation='sigmoid'))
model.compile('adam', loss=[weighted(3.0)])
model.fit(x, y, epochs=10)
