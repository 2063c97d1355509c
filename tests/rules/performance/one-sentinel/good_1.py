import queue
import threading

work, done = queue.Queue(), queue.Queue()


def run():
    while True:
        item = work.get()
        if item is None:
            break
        done.put(item * 2)


threads = [threading.Thread(target=run) for _ in range(4)]
for thread in threads:
    thread.start()
for item in range(100):
    work.put(item)
for _ in threads:
    work.put(None)
