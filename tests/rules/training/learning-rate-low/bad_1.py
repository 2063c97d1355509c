from keras.optimizers import Adam
opt = Adam(learning_rate=1e-9)
