def layers(n):
    for k in range(n):
        yield k, ((k, j) for j in range(2))


for layer, directions in layers(3):
    for direction in directions:
        print(layer, direction)
