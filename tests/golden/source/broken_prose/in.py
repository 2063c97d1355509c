I have the following model:

model = Sequential()
model.add(Dense(1))

and then I train it like this (see the docs
model.fit(x, y)
But the loss doesn't decrease. Why?
