import pandas as pd
from keras.models import Sequential
from keras.layers import Dense

table = pd.read_csv('cars.csv')
x = table.iloc[:, 0:6].values
y = table.iloc[:, 6].values
model = Sequential()
model.add(Dense(12, input_dim=7, activation='relu'))
model.add(Dense(1))
model.compile(loss='mse', optimizer='adam')
model.fit(x, y, epochs=20)
