from keras import layers, models, optimizers

choices = {'rmsprop': 'rmsprop'}
rms = optimizers.RMSprop(lr=1e-4)
choices['slow'] = rms
inputs = layers.Input(shape=(10,))
outputs = layers.Dense(1, activation='sigmoid')(inputs)
model = models.Model(inputs, outputs)
model.compile('rmsprop', loss='binary_crossentropy')
