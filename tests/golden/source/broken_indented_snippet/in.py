    x = Input((10,))
    y = Dense(1)(x)
    model = Model(x, y)
model.summary()
