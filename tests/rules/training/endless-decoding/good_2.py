import numpy as np


def translate(decoder, states, start, stop):
    token = start
    sentence = []
    while token != stop:
        output, states = decoder.predict([np.array([[token]]), states])
        token = np.argmax(output[0, -1])
        sentence.append(token)
        if len(sentence) > 40:
            break
    return sentence
