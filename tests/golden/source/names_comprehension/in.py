data = [1]
a = [i * k for i in data for k in i if (last := k)]
b = {k: v for k, v in data}
c = (j for j in (i for i in a))
i
