x = 10
for i in range(40):
    x = x ** x
    y = x << x
    z = x * x - y
x % 0
x // 0
-2**63 // -1
(-2**63) % -1
abs(-2**63)
1 << 10**9
