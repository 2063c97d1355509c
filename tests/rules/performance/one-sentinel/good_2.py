import queue
import threading

work = queue.Queue()


def run():
    while True:
        item = work.get()
        if item is None:
            work.put(None)
            break
        print(item)


for _ in range(4):
    threading.Thread(target=run).start()
work.put(1)
work.put(None)
