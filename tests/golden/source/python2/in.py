print "loss:", loss,
print >>sys.stderr, "x"
exec "x = 1" in ns
try:
    raise ValueError, "bad"
except (IOError, OSError), e:
    x = `e` <> 0777L
def f(a, (b, c)):
    return ur'x'
