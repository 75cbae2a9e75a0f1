"""Recorded motions on bodies: how far linear blend skinning and Sinew are from the true shapes."""
import functools
import glob
import os

from figures import mean_share, print_errors
from files import digest, read_json, stem, write_json
from program import INPUT, fail

ABOUT = "recorded motions on bodies, by three seeds; FOLDER/motions/*.bvh, and FOLDER/bodies/*.glb beside the embedded biped"
BIPED = "embedded biped"
BEYOND = "beyond the limits"
UNSEEN = "unseen poses"
FRAMES = 48  # of a motion, consecutive
SAMPLES = 40  # poses beyond the limits
AMOUNT = 1.5  # of the limits
# What no error depends on is left out of the builds.
BUILD = ["--set", "single_level.compare=false", "--set", "timing.seconds=0", "--set", "report.pictures=false"]
QUICK = ["--set", "input.vertices=1000", "--set", "hierarchy.levels=2", "--set", "poses.training=12", "--set", "poses.test=4",
         "--set", "poses.motion_frames=4", "--set", "simulation.tets=600", "--set", "training.steps=100"]
QUICK_TRUTHS = ["--tets", "600"]


class Truths:
    """True shapes of one body in one motion, or in poses beyond its limits: made once, whatever the seed of a build."""

    def __init__(self, program, folder, build, motion, frames, options):
        self.program = program
        self.options = options
        self.build = build
        self.motion = motion
        self.frames = frames
        name = "beyond" if motion is None else f"{stem(motion)}_{digest(motion)}"
        body = digest(os.path.join(build, "character.glb"), os.path.join(build, "limits.json"))
        self.base = os.path.join(folder, f"truths_{body}", f"{name}_{frames}")

    def make(self):
        """Makes them unless they are there, or goes on with them; returns whether they are whole."""
        if os.path.isdir(self.base + ".dataset"):
            return True
        os.makedirs(os.path.dirname(self.base), exist_ok=True)
        character, poses, part = os.path.join(self.build, "character.glb"), self.base + ".poses", self.base + ".part"
        how = ["--limits", os.path.join(self.build, "limits.json")]
        if self.motion is None:
            how += ["--amount", str(AMOUNT), "--count", str(self.frames)]
        else:
            how += ["--from", self.motion]
        made = self.program.run("poses", character, *how, "-o", poses)
        if made is None:
            return False
        first = max(0, (made["frames"] - self.frames) // 2)
        last = min(made["frames"], first + self.frames)
        resume = ["--resume"] if os.path.isdir(part) else []
        done = self.program.run("simulate", character, "--poses", poses, "--frames", f"{first}:{last}", "-o", part,
                                *resume, *self.options)
        if done is None:
            return False
        write_json(self.base + ".json", {"failed": done["failed"]})
        os.rename(part, self.base + ".dataset")
        return True

    def failed(self):
        return read_json(self.base + ".json")["failed"]


class Captured:
    """All builds, true shapes and evaluations of the tables. Results: {(body, seed, motion): evaluation}."""

    def __init__(self, call, program, work):
        self.program = program
        self.work = work
        self.options = BUILD + (QUICK if call.quick else []) + call.options
        self.truth_options = QUICK_TRUTHS if call.quick else []
        self.frames, self.samples = (3, 4) if call.quick else (FRAMES, SAMPLES)
        self.seeds = call.seeds or [1, 2, 3]
        self.folder = os.path.join(call.work, "captured_quick" if call.quick else "captured")
        self.bodies = {BIPED: None}
        self.bodies.update((stem(path), path) for path in sorted(glob.glob(os.path.join(call.data, "bodies", "*.glb"))))
        self.motions = {stem(path): path for path in sorted(glob.glob(os.path.join(call.data, "motions", "*.bvh")))}
        if not self.motions:
            fail(INPUT, f"{call.data} has no motions/*.bvh: docs/results/data.md says where to get them")
        self.results = {}
        self.failed = {}  # (body, motion) -> frames without a true shape

    def add_jobs(self):
        for s, seed in enumerate(self.seeds):
            for b, body in enumerate(self.bodies):
                self.work.add(("build", body, seed), (s, 0, b), functools.partial(self.build, s, b, body, seed))

    def build(self, s, b, body, seed):
        """Builds a body by one seed, and adds what judges it."""
        folder = os.path.join(self.folder, body.replace(" ", "_"))
        build = os.path.join(folder, f"seed_{seed}")
        os.makedirs(folder, exist_ok=True)
        character = [self.bodies[body]] if self.bodies[body] else []
        if self.program.run("build", *character, "-o", build, "--seed", str(seed), *self.options) is None:
            return False
        self.results[body, seed, UNSEEN] = read_json(os.path.join(build, "evaluation.json"))["test"]
        for m, (name, motion) in enumerate([*self.motions.items(), (BEYOND, None)]):
            frames = self.samples if motion is None else self.frames
            truths = Truths(self.program, folder, build, motion, frames, self.truth_options)
            self.work.add(truths.base, (s, 1, b, m, 0), truths.make)
            key = (body, seed, name)
            self.work.add(key, (s, 1, b, m, 1), functools.partial(self.judge, key, truths), [truths.base])
        return True

    def judge(self, key, truths):
        """Evaluates a build on true shapes, unless that was done with the same bundle."""
        bundle = os.path.join(truths.build, "character.sinew")
        stored = os.path.join(truths.build + ".judged", f"{os.path.basename(truths.base)}_{digest(bundle)}.json")
        if not os.path.exists(stored):
            evaluation = self.program.run("evaluate", bundle, "--dataset", truths.base + ".dataset", "--hierarchy",
                                          os.path.join(truths.build, "levels.lod"), "--methods", "sinew", "--no-pictures")
            if evaluation is None:
                return False
            write_json(stored, evaluation)
        self.results[key] = read_json(stored)
        self.failed[key[0], key[2]] = truths.failed()
        return True

    def group(self, name_of, motions):
        """Results by a name of their (body, motion) and by seed: {name: {seed: {(body, motion): evaluation}}}."""
        groups = {}
        for body in self.bodies:
            for motion in motions:
                for seed in self.seeds:
                    if (body, seed, motion) in self.results:
                        by_seed = groups.setdefault(name_of(body, motion), {})
                        by_seed.setdefault(seed, {})[body, motion] = self.results[body, seed, motion]
        return groups

    def print_tables(self):
        missing = len(self.bodies) * len(self.seeds) * (len(self.motions) + 2) - len(self.results)
        if missing:
            print(f"Partial: {missing} of {missing + len(self.results)} evaluations are missing. A row counts the seeds that were "
                  "judged by all that any other seed of it was.\n")
        if len(self.seeds) > 1:
            print(f"Seeds {', '.join(map(str, self.seeds))}: mean over the seeds, in brackets the smallest and the largest. Frames are "
                  "those of one seed.\n")
        for title, motions in (("Captured motions", list(self.motions)), ("Unseen sampled poses", [UNSEEN]),
                               (f"Poses sampled at {AMOUNT} times the limits", [BEYOND])):
            bodies = self.group(lambda body, motion: body, motions)
            if not bodies:
                continue
            whole = self.group(lambda body, motion: "all", motions)
            print(f"**{title}**, body by body.\n")
            print_errors("body", {**bodies, **whole} if len(bodies) > 1 else bodies, missing > 0)
            print()
        clips = self.group(lambda body, motion: motion, self.motions)
        if clips:
            print("**Captured motions**, one by one, over all bodies.\n")
            print_errors("motion", dict(sorted(clips.items(), key=lambda entry: mean_share(entry[1]))), missing > 0)
        failed = {key: frames for key, frames in self.failed.items() if frames}
        if failed:
            named = ", ".join(f"{frames} of {motion} on {body}" for (body, motion), frames in sorted(failed.items()))
            print(f"\nFrames without a true shape, which do not count: {named}.")
        return missing

