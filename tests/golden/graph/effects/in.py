model = Sequential()
model.add(Dense(3))
loss = 'mse'
model.compile(loss=loss)
n = 4
h = model.fit(x, epochs=n)
print(h)
