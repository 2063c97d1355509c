from keras.optimizers import Adam
opt = Adam(learning_rate=0.001)
