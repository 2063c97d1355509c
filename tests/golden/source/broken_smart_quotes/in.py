x = “hello”
y = 1 – 2
z = 3
