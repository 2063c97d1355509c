from keras.layers import BatchNormalization, Dense
from keras.models import Sequential

model = Sequential()
model.add(Dense(32, input_dim=10))
model.add(BatchNormalization(momentum=0.1))
