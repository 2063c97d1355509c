import queue
import threading


class Loader:
    def __init__(self, files, count):
        self.files, self.todo, self.ready = files, queue.Queue(), queue.Queue(maxsize=16)
        self.threads = [threading.Thread(target=self.read, daemon=True) for _ in range(count)]

    def fill(self):
        for name in self.files:
            self.todo.put(name)
        self.todo.put(None)

    def read(self):
        while True:
            name = self.todo.get()
            if name is None:
                break
            self.ready.put(open(name).read())
