from keras.layers import Dense
from keras.models import Sequential
from sklearn.preprocessing import StandardScaler

prices = StandardScaler().fit_transform(prices)
model = Sequential([Dense(32, activation="relu", input_dim=12), Dense(1)])
model.compile("adam", loss="mse")
model.fit(x, prices, epochs=50)
