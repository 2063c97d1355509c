In [1]: import numpy as np

In [2]: def f(x):
   ...:     return x + 1
   ...:

In [3]: f(2)
Out[3]: 3

%matplotlib inline
!pip install keras
np.zeros?
files = !ls
