x = 0
for x, y in z:
    w = x
    if w:
        continue
    print(y)
else:
    w = 1
print(x, w)
