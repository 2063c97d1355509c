def batches(images, labels, size=64):
    start = 0
    while True:
        yield images[start : start + size], labels[start : start + size]
        start += size
        if start + size > len(images):
            start = 0


def everything(images, labels):
    while True:
        yield images, labels
