model.add(Dense(64, activation='relu'
model.add(Dense(10))
def train(model):
    model.fit(x, y)
