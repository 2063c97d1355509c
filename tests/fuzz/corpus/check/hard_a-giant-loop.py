s = 0
for i in range(10**15):
    for j in range(i):
        s += i * j
while s < 10**18:
    s += 1
