import math

from keras.callbacks import LearningRateScheduler


def halve(epoch, rate):
    steps = math.floor(epoch / 10)
    return rate * math.pow(0.5, steps)


model.fit(x, y, epochs=100, callbacks=[LearningRateScheduler(halve)])
