print("hello)
x = 1
name = 'it's'
y = 2
