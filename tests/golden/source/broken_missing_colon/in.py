if x > 1
    y = 2
else
    y = 3
while True
    break
class A
    pass
