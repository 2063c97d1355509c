EPOCHS = 5
WARMUP = EPOCHS // 10


def rate(epoch):
    return 0.1 * min(1.0, epoch / WARMUP)


for epoch in range(EPOCHS):
    print(rate(epoch))
