import sys
IN = 'google.colab' in sys.modules
if IN:
    !pip install x
    %load_ext y

x = 1
for i in x:
    if i:
        !ls
    else:
        !rm a \
           b
def f():
    # only a comment
y = 2
try:
    %time
except ImportError:
    !pip install z
