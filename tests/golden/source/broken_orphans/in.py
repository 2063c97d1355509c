else:
    x = 1
except ValueError as e:
    y = 2
@decorator
z = 3
