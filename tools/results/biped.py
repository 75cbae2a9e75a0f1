"""Tables that need no data: all that can be measured on the embedded biped, and on other embedded characters."""
import functools
import hashlib
import os

from characters import left, over_seeds
from figures import print_table
from files import read_json, write_json

PRECISIONS = ("f32", "f16", "i8")
BASE = ["--set", "input.vertices=75000", "--set", "poses.training=1000", "--set", "poses.test=200", "--set",
        "poses.motion_frames=120"]
QUICK_BASE = ["--set", "input.vertices=1000", "--set", "hierarchy.levels=2", "--set", "poses.training=16", "--set", "poses.test=4",
              "--set", "poses.motion_frames=4", "--set", "simulation.tets=600", "--set", "training.steps=50"]
NOT_NEEDED = ["--set", "single_level.compare=false", "--set", "timing.seconds=0", "--set", "report.pictures=false"]


class Biped:
    """A build of the embedded biped that several tables start from: BASE says how large it is."""

    def __init__(self, call, program, work):
        self.program = program
        self.work = work
        self.quick = call.quick
        # Other options are another biped: what was learned from the one is not the other's.
        other = "_" + hashlib.sha256(" ".join(call.options).encode()).hexdigest()[:8] if call.options else ""
        self.folder = os.path.join(call.work, ("biped_quick" if call.quick else "biped") + other)
        self.build = os.path.join(self.folder, "build")
        self.options = (QUICK_BASE if call.quick else BASE) + NOT_NEEDED + call.options
        self.seeds = call.seeds or [1]

    def add_jobs(self):
        self.work.add("build", (0,), self.make_build)
        self.add_more()

    def make_build(self):
        return self.program.run("build", "-o", self.build, *self.options) is not None

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def run_once(self, stored, *arguments):
        """Runs a command unless its result is stored; returns whether there is one."""
        if os.path.exists(stored):
            return True
        result = self.program.run(*arguments)
        if result is None:
            return False
        write_json(stored, result)
        return True

    def print_size(self):
        dataset = read_json(os.path.join(self.build, "evaluation.json"))
        print("The embedded biped, `sinew build " + " ".join(self.options) + f"`; {dataset['test']['frames']} unseen poses and "
              f"{dataset['motion']['frames']} frames of an unseen motion.\n")


class Training(Biped):
    """What is left of linear blend skinning's error by other ways to train on the same true shapes."""

    ABOUT = "training on the embedded biped: widths of networks, epsilons, features, numbers of frames, truths by formula"
    FORMULA = "formula"
    VARIANTS = [("the default", []), ("24 wide", ["--width", "24"]), ("64 wide", ["--width", "64"]),
                ("128 wide", ["--width", "128"]), ("epsilon 1.5e-4", ["--epsilon", "1.5e-4"]),
                ("epsilon 3.6e-4", ["--epsilon", "3.6e-4"]), ("epsilon 6e-4", ["--epsilon", "6e-4"]),
                ("columns of rotations", ["--features", "columns"]), ("angles", ["--features", "euler"]),
                ("single-level", ["--single-level"])]
    SHARES = (0.5, 0.25)  # of the frames, to learn from

    def add_more(self):
        steps = ["--steps", "50"] if self.quick else []
        simulated = {kind: os.path.join(self.build, f"{kind}.dataset") for kind in ("training", "test", "motion")}
        self.variants = {}  # name -> (dataset to train on, options, datasets to test on)
        for name, options in self.VARIANTS:
            self.variants[name] = (simulated["training"], options, simulated)
        for share in self.SHARES:
            folder = self.path(f"share_{share}")
            self.work.add(folder, (1,), functools.partial(self.split, folder, share), ["build"])
            self.variants[f"{share:.0%} of the frames"] = (os.path.join(folder, "train.dataset"), [], simulated)
        formula = {kind: self.path(f"{self.FORMULA}_{kind}.dataset") for kind in simulated}
        for kind, dataset in formula.items():
            self.work.add(dataset, (1,), functools.partial(self.by_formula, kind, dataset), ["build"])
        self.variants["truths by formula"] = (formula["training"], [], formula)
        self.results = {}  # (variant, seed, "test" or "motion") -> evaluation
        self.bytes = {}
        for s, seed in enumerate(self.seeds):
            for v, (name, (dataset, options, tests)) in enumerate(self.variants.items()):
                needs = ["build", *formula.values(), *(self.path(f"share_{share}") for share in self.SHARES)]
                train = functools.partial(self.train, name, seed, dataset, options + steps, tests)
                self.work.add((name, seed), (2, s, v), train, needs)

    def split(self, folder, share):
        return self.run_once(folder + ".json", "dataset", "split", os.path.join(self.build, "training.dataset"), "-o", folder,
                             "--validation", "0", "--test", str(1 - share))

    def by_formula(self, kind, dataset):
        return self.run_once(dataset + ".json", "dataset", "procedural", os.path.join(self.build, "character.glb"), "--poses",
                             os.path.join(self.build, f"{kind}.poses"), "-o", dataset)

    def train(self, name, seed, dataset, options, tests):
        base = self.path("trained", f"{name.replace(' ', '_').replace('%', '')}_{seed}")
        os.makedirs(os.path.dirname(base), exist_ok=True)
        levels = os.path.join(self.build, "levels.lod")
        resume = ["--resume"] if os.path.exists(base + ".deformer.partial") else []
        if not self.run_once(base + ".train.json", "train", dataset, "--hierarchy", levels, "-o", base + ".deformer", "--seed",
                             str(seed), *options, *resume):
            return False
        if not self.run_once(base + ".bake.json", "bake", base + ".deformer", "-o", base + ".sinew"):
            return False
        for test in ("test", "motion"):
            if not self.run_once(f"{base}.{test}.json", "evaluate", base + ".sinew", "--hierarchy", levels, "--dataset",
                                 tests[test], "--methods", "sinew", "--no-pictures"):
                return False
            self.results[name, seed, test] = read_json(f"{base}.{test}.json")
        self.bytes[name, seed] = read_json(base + ".bake.json")["bytes"]
        return True

    def print_tables(self):
        whole = [(name, seed) for name, seed in self.bytes]
        missing = len(self.variants) * len(self.seeds) - len(whole)
        if missing:
            print(f"Partial: {missing} of {missing + len(whole)} trainings are missing.\n")
        if whole:
            self.print_size()
            print("Shares of linear blend skinning's error, levels from coarse to fine, seeds "
                  f"{', '.join(map(str, self.seeds))}:\n")
        rows = []
        for name in self.variants:
            seeds = [seed for seed in self.seeds if (name, seed) in self.bytes]
            if seeds:
                size = sum(self.bytes[name, seed] for seed in seeds) / len(seeds)
                shares = [over_seeds([left(self.results[name, seed, test]) for seed in seeds]) for test in ("test", "motion")]
                rows.append([name, f"{size / 1e6:.1f} MB", *shares])
        print_table(["", "bundle", "unseen poses", "unseen motion"], rows)
        return missing


class Fronts(Biped):
    """Sinew against the single-level method: error, memory and time over epsilons and regions."""

    ABOUT = "the embedded biped against the single-level method: error, memory and time; for a machine that does nothing else"

    def add_more(self):
        self.lods = {regions: self.path(f"{regions}.lod") for regions in ((8, 16) if self.quick else (50, 100, 200))}
        for regions, lod in self.lods.items():
            self.work.add(lod, (1,), functools.partial(self.make_levels, regions, lod), ["build"])
        self.work.add("fronts", (2,), self.compare, ["build", *self.lods.values()])

    def make_levels(self, regions, lod):
        few = ["--levels", "2"] if self.quick else []
        return self.run_once(lod + ".json", "lod", os.path.join(self.build, "character.glb"), "--regions", str(regions), "-o", lod,
                             *few)

    def compare(self):
        fronts = self.path("fronts")
        small = ["--steps", "50", "--epsilons", "0.001", "--rounds", "1"] if self.quick else []
        resume = ["--resume"] if os.path.exists(fronts + ".partial") else []
        return self.run_once(fronts + ".json", "fronts", os.path.join(self.build, "training.dataset"), "--test",
                             os.path.join(self.build, "test.dataset"), "--hierarchy", *self.lods.values(), "--precisions",
                             *PRECISIONS, "-o", fronts, *small, *resume)

    def print_tables(self):
        if not os.path.exists(self.path("fronts.json")):
            print("Partial: nothing was compared yet.")
            return 1
        self.print_size()
        fronts = read_json(self.path("fronts.json"))
        skinning = f"{fronts['linear_blend_mm']:.2f} mm off and takes {fronts['skinning_cold_us']['median']:,.0f} microseconds"
        print(f"{fronts['threads']} threads, cold caches, medians of {fronts['rounds']} rounds. Skinning alone is {skinning}. Sinew's / "
              "the single-level method's:\n")
        found = {}
        for bundle in fronts["bundles"]:
            key = (bundle["regions"], bundle["epsilon"])
            found.setdefault(key, {})[bundle["method"], bundle["precision"]] = bundle

        def ratio(value):
            return "-" if value is None else f"{value:.1f}"

        def pair(bundles, precision, text):
            return " / ".join(text(bundles[method, precision]) for method in ("multi-resolution", "single-level"))

        rows = [[regions, f"{epsilon:.2g}", pair(bundles, "i8", lambda bundle: f"{bundle['rms_mm']:.2f}"),
                 *(pair(bundles, precision, lambda bundle: f"{bundle['corrective_bytes'] / 1e6:.1f}") for precision in PRECISIONS),
                 *(pair(bundles, precision, lambda bundle: f"{bundle['cold_us']['median']:,.0f}") for precision in PRECISIONS)]
                for (regions, epsilon), bundles in sorted(found.items())]
        print_table(["regions", "epsilon", "error in i8, mm", *(f"MB in {precision}" for precision in PRECISIONS),
                     *(f"microseconds in {precision}" for precision in PRECISIONS)], rows)
        print("\nWhat the single-level method takes, as a multiple of what Sinew does:\n")
        print_table(["at", "Sinew's precision", "the other's", "memory", "time of frames", "time of correctives"],
                    [[one["at"], one["ours"], one["single_level"], ratio(one["memory"]), ratio(one["time"]),
                      ratio(one["corrective_time"])] for one in fronts["ratios"]])
        return 0


class Speed(Biped):
    """Times of frames in three precisions."""

    ABOUT = "times of the embedded biped in three precisions; for a machine that does nothing else"

    def add_more(self):
        self.files = {precision: self.path(f"{precision}.sinew") for precision in PRECISIONS}
        deformer = os.path.join(self.build, "character.deformer")
        for precision, file in self.files.items():
            bake = functools.partial(self.run_once, file + ".json", "bake", deformer, "--precision", precision, "-o", file)
            self.work.add(file, (1,), bake, ["build"])
        self.work.add("bench", (2,), self.bench, list(self.files.values()))

    def bench(self):
        """Times anew in every call: the machine may be another one."""
        self.timed = self.program.run("bench", *self.files.values(), "--rounds", "1" if self.quick else "27")
        return self.timed is not None

    def print_tables(self):
        if getattr(self, "timed", None) is None:
            print("Partial: nothing was timed yet.")
            return 1
        print("The embedded biped, `sinew build " + " ".join(self.options) + f"`, frames of all levels with normals, medians of "
              f"{self.timed['rounds']} rounds in microseconds, all in turn; `sinew bench` says how.\n")
        rows = []
        for precision, one in zip(PRECISIONS, self.timed["characters"]):
            for stage in ("frame", "floor", "skinning only"):
                times = {timing["threads"]: timing for timing in one["timings"] if timing["stage"] == stage}
                name = f"{precision}, {one['bytes'] / 1e6:.1f} MB" if stage == "frame" else f"{precision}, {stage}"
                rows.append([name, *(f"{times[threads][state]['median']:,.0f}" for threads in sorted(times)
                                     for state in ("hot_us", "cold_us"))])
        print_table(["", *(f"{threads} thread{'s' if threads > 1 else ''}, {state}" for threads in sorted(times)
                           for state in ("hot", "cold"))], rows)
        return 0


class Simulation:
    """Frames that have a true shape, and what they cost, for every embedded character and two qualities."""

    ABOUT = "simulated flesh of the embedded characters: failures, tetrahedra and seconds per frame in two qualities"
    FRAMES = {"quick": 200, "good": 20}
    KINDS = {"biped": 75000, "hand": 20000, "quadruped": 20000}

    def __init__(self, call, program, work):
        self.program = program
        self.work = work
        self.folder = os.path.join(call.work, "simulation_quick" if call.quick else "simulation")
        self.kinds = {kind: 1000 if call.quick else vertices for kind, vertices in self.KINDS.items()}
        self.frames = {"quick": 2, "good": 1} if call.quick else self.FRAMES
        self.options = ["--tets", "600"] if call.quick else []
        self.results = {}  # (kind, quality) -> what simulate prints

    def add_jobs(self):
        for k, kind in enumerate(self.kinds):
            self.work.add(kind, (0, k), functools.partial(self.make_poses, kind))
            for q, quality in enumerate(self.frames):
                self.work.add((kind, quality), (1, q, k), functools.partial(self.simulate, kind, quality), [kind])

    def make_poses(self, kind):
        character, poses = (os.path.join(self.folder, kind + end) for end in (".glb", ".poses"))
        if os.path.isdir(poses):
            return True
        if self.program.run("character", kind, "--vertices", str(self.kinds[kind]), "-o", character) is None:
            return False
        return self.program.run("poses", character, "--count", str(self.frames["quick"]), "-o", poses) is not None

    def simulate(self, kind, quality):
        base = os.path.join(self.folder, f"{kind}_{quality}")
        if not os.path.exists(base + ".json"):
            resume = ["--resume"] if os.path.isdir(base + ".dataset") else []
            done = self.program.run("simulate", os.path.join(self.folder, kind + ".glb"), "--poses",
                                    os.path.join(self.folder, kind + ".poses"), "--frames", f"0:{self.frames[quality]}",
                                    "--quality", quality, "-o", base + ".dataset", *self.options, *resume)
            if done is None:
                return False
            write_json(base + ".json", done)
        self.results[kind, quality] = read_json(base + ".json")
        return True

    def print_tables(self):
        missing = len(self.kinds) * len(self.frames) - len(self.results)
        if missing:
            print(f"Partial: {missing} of {missing + len(self.results)} simulations are missing.\n")
        print("Poses sampled inside the limits and cleared; seconds are of one thread per frame, of the last part where a run was "
              "stopped and went on.\n")
        print_table(["character", "vertices", "quality", "tetrahedra", "frames", "failed", "only without contact", "seconds"],
                    [[kind, f"{self.kinds[kind]:,}", quality, f"{one['tetrahedra']:,}", one["frames"], one["failed"],
                      one["without_contact"], f"{one['seconds_per_frame']:.2g}"]
                     for (kind, quality), one in sorted(self.results.items())])
        return missing
