try:
    x = raw_input()
except E, e:
    print >>err, e
    exec x in d
print x, `x`
pass
