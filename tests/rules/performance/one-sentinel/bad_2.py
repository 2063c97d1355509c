from multiprocessing import Process, Queue


def worker(q, out):
    while True:
        path = q.get()
        if path is None:
            return
        out.put(len(path))


paths, sizes = Queue(), Queue()
workers = []
for i in range(8):
    p = Process(target=worker, args=(paths, sizes))
    p.start()
    workers.append(p)
for path in open("list.txt"):
    paths.put(path)
paths.put(None)
for p in workers:
    p.join()
