x = 'ab'
for i in range(40):
    x = x + x
    x += x
y = x * 10**9
z = x.join([x] * 200)
'%s' % z
f'{z}{z}'
z.format(z)
