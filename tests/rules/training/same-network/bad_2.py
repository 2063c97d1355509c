from keras.layers import Dense
from keras.models import Sequential, clone_model


def build():
    model = Sequential()
    model.add(Dense(24, input_dim=6, activation="relu"))
    model.add(Dense(3))
    model.compile(optimizer="adam", loss="mse")
    return model


model = build()
target_model = model


def update():
    target_model.set_weights(model.get_weights())


update()
