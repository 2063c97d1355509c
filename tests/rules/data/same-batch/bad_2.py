def batches(images, labels, size=64):
    while True:
        start = 0
        yield images[start : start + size], labels[start : start + size]
        start += size
        if start + size > len(images):
            start = 0
