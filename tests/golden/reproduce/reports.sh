# Reports that the cases of reproduce read.
cat >scalar.md <<'END'
grad can be implicitly created only for scalar outputs

I weight the loss of each sample by hand.

```
>>> model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3))
>>> for x, y in loader:
...     losses = F.cross_entropy(model(x), y, reduction="none")
...     losses.backward()
...
```

RuntimeError: grad can be implicitly created only for scalar outputs

PyTorch 1.13.1, Python 3.10
END
cat >keras.md <<'END'
ValueError in Dense

```python
model = Sequential()
model.add(Dense(10, input_dim=4))
model.compile(loss="mse", optimizer="sgd")
model.fit(X, y, epochs=epochs)
```

I use Keras with TensorFlow 2.4. X is (100, 5).

ValueError: Input 0 of layer sequential is incompatible with the layer
END
cat >prose.md <<'END'
It does not work

Nothing works. Please help.
END
cat >division.md <<'END'
ZeroDivisionError in my loop

```python
class Meter:
def mean(self, values):
return sum(values) / len(values)

def unused(n):
    return n + 1

m = Meter()
for batch in [[1, 2], []]:
    print(m.mean(batch))
```

ZeroDivisionError: division by zero
END
cat >endless.md <<'END'
KeyError after hours

```python
while True:
    pass
```

KeyError: 'x'
END
cat >file.md <<'END'
ValueError while reading

```python
open("../passwords.txt").read()
float("a")
```

ValueError: could not convert string to float: 'a'
END
cat >rows.md <<'END'
ValueError while reading my table

```python
rows = [line.split(",") for line in open("table.csv")]
print(int(rows[1][0]))
```

The file looks like

x,y
1.5,0
2.5,1

ValueError: invalid literal for int() with base 10: '1.5'
END
