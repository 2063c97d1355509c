import queue
import sys
import threading

import main


class Deadlock(Exception):
    pass


class Watched:
    """All queues of one run; knows when every thread waits for something that cannot come."""

    def __init__(self):
        self.condition = threading.Condition()
        self.running = 4  # the main thread, the reader and two workers
        self.waiting = self.blocked = 0

    def make(self):
        return WatchedQueue(self)


class WatchedQueue(queue.Queue):
    def __init__(self, watched):
        super().__init__()
        self.watched = watched
        self.items = []

    def put(self, item):
        with self.watched.condition:
            self.items.append(item)
            self.watched.condition.notify_all()

    def get(self):
        w = self.watched
        with w.condition:
            w.waiting += 1
            while not self.items:
                ended = sum(not t.is_alive() for t in self.threads())
                if w.blocked or w.waiting + ended == w.running:
                    w.blocked += 1
                    w.condition.notify_all()
                    raise Deadlock
                w.condition.wait(0.05)
            w.waiting -= 1
            return self.items.pop(0)

    def threads(self):
        return self.watched.prefetcher


def hide(arguments):
    """A waiting thread that is given up is no news."""


threading.excepthook = hide
values = []
for seed in range(5):
    watched = Watched()
    start = main.Prefetcher.__init__

    def remember(self, *args, **kwargs):
        start(self, *args, **kwargs)
        watched.prefetcher = [self.reader] + self.workers

    main.Prefetcher.__init__ = remember
    try:
        loss, batches = main.train(seed, make_queue=watched.make)
        if batches != 50 or not loss < 0.5:
            print(f"FAIL: {batches} batches with mean loss {loss:.3f}")
            sys.exit(1)
    except Deadlock:
        pass
    main.Prefetcher.__init__ = start
    values.append(float(watched.blocked))
for seed, value in enumerate(values):
    print(f"metric blocked_waits {seed} {value!r}")
if any(values):
    print("FAIL: threads wait for samples that nobody will send")
    sys.exit(1)
print("PASS: the pass over the samples ends")
