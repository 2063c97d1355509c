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
