n = 0
def up():
    global n
    n += 1
def outer():
    c = 0
    def inner():
        nonlocal c
        c = n
    inner()
    return c
up()
print(n)
