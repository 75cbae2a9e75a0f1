"""Jobs done by several threads at once, until all are done, time is over, or the script is stopped."""
import os
import sys
import threading
import time


class Work:
    """Jobs with an order. A job runs after those that it needs; of those that can run, the first in order does.

    A job's function returns whether it was done. What needs a job that was not done is left out.
    """

    def __init__(self, program, workers, minutes):
        self.program = program
        self.workers = workers
        self.deadline = time.monotonic() + 60 * minutes if minutes else None
        self.late = False  # time was over before all was done
        self.stopped = False  # by Ctrl-C or a kill
        self.pending = {}  # key -> (order, function, needed keys)
        self.done = {}  # key -> whether it was done
        self.busy = 0
        self.change = threading.Condition()

    def add(self, key, order, function, needs=()):
        """Adds a job unless there is one with this key. Jobs may add jobs."""
        with self.change:
            if key not in self.pending and key not in self.done:
                self.pending[key] = (order, function, tuple(needs))
                self.change.notify_all()

    def finish(self):
        """Does all jobs. Ctrl-C stops them, as does the end of the time."""
        threads = [threading.Thread(target=self._work, daemon=True) for _ in range(self.workers)]
        for thread in threads:
            thread.start()
        try:
            while any(thread.is_alive() for thread in threads):
                if self.deadline and time.monotonic() > self.deadline and not self.late:
                    self.late = True
                    self.program.stop()
                with self.change:
                    self.change.wait(0.2)
        except KeyboardInterrupt:
            self.stopped = True
            self.program.stop()
        for thread in threads:
            thread.join()
        self.stopped = self.stopped or (self.program.stopping and not self.late)

    def _work(self):
        while True:
            with self.change:
                key = self._next()
                while key is None and self.busy > 0 and not self.program.stopping:
                    self.change.wait(0.2)
                    key = self._next()
                if key is None or self.program.stopping:
                    return
                _, function, _ = self.pending.pop(key)
                self.done[key] = None
                self.busy += 1
            ended = False
            try:
                ended = function()
            except OSError as problem:
                print(f"scripts/results: {problem}", file=sys.stderr)
            finally:
                with self.change:
                    self.done[key] = bool(ended)
                    self.busy -= 1
                    if ended:
                        self._say(key)
                    self.change.notify_all()

    def _say(self, key):
        name = os.path.basename(key) if isinstance(key, str) else " ".join(map(str, key))
        print(f"done: {name}; {len(self.pending) + self.busy} to go, as far as is known", file=sys.stderr)

    def _next(self):
        for key in [key for key, (_, _, needs) in self.pending.items() if any(self.done.get(need) is False for need in needs)]:
            del self.pending[key]
            self.done[key] = False
        ready = [(order, key) for key, (order, _, needs) in self.pending.items() if all(self.done.get(need) for need in needs)]
        return min(ready, key=lambda entry: entry[0])[1] if ready else None
