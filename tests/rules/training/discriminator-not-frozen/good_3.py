from keras.layers import Dense, Input
from keras.models import Model, Sequential

# A network that was trained goes on inside a larger one.
base = Sequential([Dense(64, activation="relu", input_dim=20), Dense(5, activation="softmax")])
base.compile(loss="categorical_crossentropy", optimizer="adam")
base.fit(x, y, epochs=10)

wide = Input(shape=(40,))
model = Model(wide, base(Dense(20, activation="relu")(wide)))
model.compile(loss="categorical_crossentropy", optimizer="adam")
model.fit(x_wide, y_wide, epochs=10)
