model.fit(x)
Traceback (most recent call last):
  File "train.py", line 3, in <module>
    model.fit(x)
ValueError: Shapes (None, 1) and (None, 10) are incompatible
model.fit(x, y)
