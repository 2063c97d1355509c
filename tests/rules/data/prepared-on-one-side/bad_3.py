import string

import torch


def plain(text):
    return text.lower().translate(str.maketrans("", "", string.punctuation))


def train(model, mails, optimizer):
    for text, topic in mails:
        loss = torch.nn.functional.cross_entropy(model(plain(text)), topic)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def answer(model, text):
    with torch.no_grad():
        return model(text).argmax()


def serve(model, requests):
    return [answer(model, request) for request in requests]


print(serve(trained, open("requests.txt").readlines()))
