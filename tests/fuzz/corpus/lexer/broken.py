>>> x = foo(a,
...     b
>>> def f(:
In [3]: %time y
   ...: z?
!ls
x = !ls
Here is my code (see the docs:
def g(
    a
class K
  b = 1
    c = [1, 2
 else:
print("abc
f'{a' f"{b" + """unclosed
