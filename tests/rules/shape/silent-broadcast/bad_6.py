import numpy as np
from keras.layers import Dense
from keras.models import Sequential

model = Sequential([Dense(8, input_dim=5, activation='relu'), Dense(1)])
rows, wanted = np.random.rand(50, 5), np.random.rand(50)
model.compile('adam', 'mse')
model.fit(rows, wanted, epochs=100)
print(np.mean((model.predict(rows) - wanted) ** 2))
