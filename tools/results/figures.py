"""Errors of evaluations taken together, their spread over seeds, and tables of them in Markdown."""
import math


class Sums:
    """Errors of several evaluations together, on the finest level: squares are summed over frames."""

    def __init__(self, evaluations=()):
        self.frames = self.faded = self.worse = 0
        self.skinned = self.ours = self.excess = 0.0
        for evaluation in evaluations:
            self.add(evaluation)

    def add(self, evaluation):
        level, frames = evaluation["levels"][-1], evaluation["frames"]
        self.frames += frames
        self.faded += evaluation["faded_frames"]
        self.worse += level["sinew"]["worse_frames"]
        self.excess = max(self.excess, level["sinew"]["worst_excess_mm"])
        self.skinned += frames * level["linear blend"]["rms_mm"] ** 2
        self.ours += frames * level["sinew"]["rms_mm"] ** 2

    def share(self):
        return math.sqrt(self.ours / self.skinned) if self.skinned > 0 else float("nan")

    def skinned_mm(self):
        return math.sqrt(self.skinned / max(1, self.frames))

    def ours_mm(self):
        return math.sqrt(self.ours / max(1, self.frames))

    def percent(self, frames):
        return 100 * frames / max(1, self.frames)


def spread(values, digits):
    """Mean of values, and from smallest to largest where these differ as they are written."""
    mean, low, high = (f"{value:.{digits}f}" for value in (sum(values) / len(values), min(values), max(values)))
    return mean if low == high else f"{mean} ({low} to {high})"


def numbers(values):
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low} to {high}"


HEADS = ("frames", "skinning, mm", "Sinew, mm", "share", "faded, %", "worse, %", "by at most, mm")


def comparable(by_seed):
    """Of {seed: {what was judged: evaluation}}, the seeds that were judged by as much as any other."""
    most = max(by_seed.values(), key=len).keys()
    return {seed: found for seed, found in by_seed.items() if found.keys() == most}


def row(name, by_seed, with_seeds):
    counted = comparable(by_seed)
    sums = [Sums(found.values()) for found in counted.values()]
    cells = [name, numbers([one.frames for one in sums]), f"{sum(one.skinned_mm() for one in sums) / len(sums):.2f}",
             spread([one.ours_mm() for one in sums], 2), spread([one.share() for one in sums], 3),
             spread([one.percent(one.faded) for one in sums], 1), spread([one.percent(one.worse) for one in sums], 2),
             f"{max(one.excess for one in sums):.2f}"]
    return cells + [str(len(counted))] if with_seeds else cells


def print_table(heads, rows):
    print("| " + " | ".join(heads) + " |\n|" + "---|" * len(heads))
    for cells in rows:
        print("| " + " | ".join(str(cell) for cell in cells) + " |")


def print_errors(first, by_name, partial):
    """A table of {name: {seed: {what was judged: evaluation}}}; with the number of seeds that count where it is partial."""
    heads = [first, *HEADS, "seeds"] if partial else [first, *HEADS]
    print_table(heads, [row(name, by_seed, partial) for name, by_seed in by_name.items()])


def mean_share(by_seed):
    counted = comparable(by_seed).values()
    return sum(Sums(found.values()).share() for found in counted) / len(counted)
