from tensorflow.keras import Sequential
from tensorflow.keras.layers import Dense, Dropout

rate = 0.0
model = Sequential([Dense(16, activation="relu", input_shape=(8,)), Dropout(rate), Dense(3),
                    Dropout(rate)])
model.compile(optimizer="adam", loss="mse")
