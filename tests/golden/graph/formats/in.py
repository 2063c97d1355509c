import numpy as np

def f(a):
    """Doc."""
    if a:
        return np.zeros(a)
    return f("\"\n")
