from keras.layers import Dense
m = Dense(3)
