counter = 0
def up():
    global counter, fresh
    counter += 1
    fresh = counter
def read():
    return counter + fresh
