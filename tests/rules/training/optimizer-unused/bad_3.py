from keras import layers, models, optimizers

inputs = layers.Input(shape=(10,))
outputs = layers.Dense(1, activation='sigmoid')(inputs)
model = models.Model(inputs, outputs)
rms = optimizers.RMSprop(lr=1e-5)
model.compile('rmsprop', loss='binary_crossentropy')
