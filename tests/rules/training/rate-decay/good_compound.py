import math

from keras.callbacks import LearningRateScheduler

FIRST = 0.01


def halve(epoch, rate):
    return FIRST * math.pow(0.5, math.floor(epoch / 10))


def fade(epoch, rate):
    return rate if epoch < 10 else rate * math.exp(-0.1)


def choose(epoch, rate):
    return rate * (0.5 if epoch % 10 == 9 else 1)


model.fit(x, y, epochs=100, callbacks=[LearningRateScheduler(halve)])
model.fit(x, y, epochs=100, callbacks=[LearningRateScheduler(fade)])
model.fit(x, y, epochs=100, callbacks=[LearningRateScheduler(choose)])
