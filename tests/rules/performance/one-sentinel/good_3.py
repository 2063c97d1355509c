import queue
import threading

work = queue.Queue()


def run():
    while True:
        item = work.get()
        if item is None:
            break
        print(item)


thread = threading.Thread(target=run)
thread.start()
work.put(1)
work.put(None)
thread.join()
