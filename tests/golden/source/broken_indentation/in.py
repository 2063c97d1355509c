def train():
    for x in data:
        loss = model(x)
      loss.backward()
        optimizer.step()
  print(loss)
