try:
    a = 1
except* OSError:
    a = 2
except* ValueError:
    a = 3
print(a)
