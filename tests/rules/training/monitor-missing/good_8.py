from keras.callbacks import EarlyStopping

# The model is built in another file.
stop = EarlyStopping(monitor="val_loss", patience=5)
model.fit(x, y, epochs=200, validation_split=0.1, callbacks=[stop])
