"""The program whose figures are measured: how it is called, stopped, and what commit it is of."""
import ctypes
import datetime
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILT = os.path.join(ROOT, "build", "release", "bin", "sinew")
STOPPED = 130  # the program's exit code after Ctrl-C
INPUT = 3  # exit code: a file is bad, or is not there
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def fail(code, sentence):
    print(f"scripts/results: {sentence}", file=sys.stderr)
    sys.exit(code)


def prepare_child():
    """Ends a command with the script, in whatever way that ends: a build that went on alone would lock its folder.

    A script in the background may ignore Ctrl-C; its commands must not, since that is how they are stopped.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if LIBC:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class Program:
    """A sinew program. Commands may be run from several threads; stop() ends all of them."""

    def __init__(self, path, threads):
        if not os.path.isfile(path):
            fail(INPUT, f"there is no program {path}: run scripts/demo first, or name one with --program")
        if not os.access(path, os.X_OK):
            fail(INPUT, f"{path} cannot be run: name a sinew program with --program")
        self.path = os.path.abspath(path)
        self.threads = threads
        self.stopping = False
        self.running = set()
        self.lock = threading.Lock()

    def run(self, *arguments):
        """Runs a command and returns what it prints as JSON; None, with its message on standard error, if it fails."""
        words = [self.path, *arguments, "--json", "--quiet", "--threads", str(self.threads)]
        with self.lock:
            if self.stopping:
                return None
            child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                     preexec_fn=prepare_child, start_new_session=True)
            self.running.add(child)
        printed, said = child.communicate()
        with self.lock:
            self.running.discard(child)
            if child.returncode == STOPPED:
                self.stopping = True
            if self.stopping:
                return None
        lines = said.strip().split("\n")
        sentence = lines[-1] or f"ended with code {child.returncode}"
        if child.returncode == 0:
            try:
                return json.loads(printed)
            except ValueError:
                sentence = "printed no JSON: is --program a sinew program?"
        print(f"{shlex.join(['sinew', *arguments])}: {sentence}", file=sys.stderr)
        return None

    def stop(self):
        """Ends what is running as Ctrl-C does, so that finished parts are kept; nothing else is begun."""
        with self.lock:
            self.stopping = True
            for child in self.running:
                try:
                    os.killpg(child.pid, signal.SIGINT)  # its session: a program may be a script around another
                except ProcessLookupError:
                    pass  # it has just ended

    def version(self):
        done = subprocess.run([self.path, "--version"], capture_output=True, text=True, check=False)
        return done.stdout.strip()


def commit_of(program, text):
    """What is printed as the commit: text if given, else the checkout's, else the program's version."""
    if text:
        return f"commit {text}"
    if os.path.realpath(ask_git("rev-parse", "--show-toplevel") or os.sep) == os.path.realpath(ROOT):
        commit = ask_git("describe", "--always", "--dirty", "--exclude=*")
        if commit:
            return f"commit {commit}"
    return program.version() or "commit unknown"


def ask_git(*words):
    """What git says of the checkout; nothing where there is no git, or no repository."""
    if shutil.which("git") is None:
        return ""
    return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=False).stdout.strip()


def makers(folder, commit):
    """Notes in the folder of a table that this commit works there, and returns the commits that its contents are of."""
    path = os.path.join(folder, "commits")
    before = []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            before = file.read().split("\n")
    others = [line for line in before if line and line != commit]
    if commit not in before:
        with open(path, "a", encoding="utf-8") as file:
            file.write(commit + "\n")
    return commit + (f" (some of it made before by {', '.join(others)})" if others else "")


def heading(words, commit):
    return f"`{shlex.join(words)}`, {commit}, {datetime.date.today().isoformat()}"
