# comment
def f(a, b):
    if a and b or not a:
        return [x for x in a if x]

    for i in b:  # loop
        a += i * 2 - 1
    return a if a < b <= 3 else b
