print "a", b,
print >>f, x
exec "code" in ns, loc
try: raise E, "m", tb
except E, e: x = `y` <> 0777L
def f(a, (b, c)): return ur'x'
x.cuda(async=True)
