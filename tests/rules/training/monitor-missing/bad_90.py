from keras.callbacks import EarlyStopping
from keras.layers import Dense
from keras.models import Sequential

model = Sequential([Dense(8, activation='relu', input_shape=(3,)), Dense(1)])
model.compile(optimizer='adam', loss='mse', metrics=['mae'])
stop = EarlyStopping(monitor='val_accuracy', patience=4)
model.fit(x, y, validation_split=0.1, epochs=50, callbacks=[stop])
