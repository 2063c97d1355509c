import torch


def plain(text):
    return text.lower()


def train(model, mails):
    for text, topic in mails:
        torch.nn.functional.cross_entropy(model(plain(text)), topic).backward()


def answer(model, text):
    """The text comes from the caller, who cleans it."""
    with torch.no_grad():
        return model(text).argmax()
