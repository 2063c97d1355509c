epochs = 3
for e in range(epochs):
    print("epoch " + str(e))
