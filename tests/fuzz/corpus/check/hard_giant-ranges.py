a = list(range(10**12))
b = [i for i in range(10**12)]
c = [[i * j for i in range(10**9)] for j in range(10**9)]
d = {i: i for i in range(10**12)}
sum(a)
sorted(b)
zip(*c)
