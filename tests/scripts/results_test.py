#!/usr/bin/env python3
"""Tests scripts/results on a program that answers at once (stub_sinew.py)."""
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def alive(process):
    """Whether a process runs; one that ended and was not waited for does not."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def until(condition):
    for _ in range(400):
        if condition():
            return True
        time.sleep(0.05)
    return False


class ResultsTest(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)
        (self.folder / "data" / "motions").mkdir(parents=True)
        (self.folder / "data" / "bodies").mkdir()
        for motion in ("walk", "kick"):
            (self.folder / "data" / "motions" / f"{motion}.bvh").write_text(motion)
        self.order()

    def order(self, **orders):
        known = {"errors": {"walk": {"1": 1.0, "2": 2.0, "3": 3.0}, "kick": {"1": 2.0, "2": 2.0, "3": 2.0},
                            "test": {"1": 1.0, "2": 1.0, "3": 4.0}},
                 "skinned": {"walk": 4.0, "kick": 3.0, "test": 10.0}, "frames": {"walk": 48, "kick": 12}}
        (self.folder / "orders.json").write_text(json.dumps({**known, **orders}))

    def command(self, *words):
        return [sys.executable, str(ROOT / "scripts" / "results"), *words]

    def environment(self):
        return {**os.environ, "STUB": str(self.folder)}

    def results(self, *words, name="captured"):
        data = ["--data", str(self.folder / "data"), "--work", str(self.folder / "work"), "--program",
                str(ROOT / "tests" / "scripts" / "stub_sinew.py")]
        return self.command(name, *data, *words)

    def run_results(self, *words, name="captured"):
        return subprocess.run(self.results(*words, name=name), env=self.environment(), capture_output=True, text=True, check=False)

    def begin(self, *words):
        """Starts the script and waits until a command of it hangs; returns the script and that command's process."""
        with open(self.folder / "printed", "wb") as printed, open(self.folder / "said", "wb") as said:
            script = subprocess.Popen(self.results(*words), env=self.environment(), stdout=printed, stderr=said)
        self.addCleanup(script.wait)
        self.addCleanup(script.kill)
        hangs = self.folder / "hangs"
        self.assertTrue(until(lambda: hangs.exists() and hangs.read_text()))
        return script, int(hangs.read_text())

    def calls(self, word):
        return [line for line in (self.folder / "calls").read_text().split("\n") if line.startswith(word + " ")]

    def row(self, text, name, table=0):
        found = [line for line in text.split("\n") if line.startswith(f"| {name} |")]
        return [cell.strip() for cell in found[table].strip("|").split("|")]

    def test_pools_squares_over_frames_and_gives_the_spread_over_seeds(self):
        done = self.run_results("--jobs", "4")
        self.assertEqual(done.returncode, 0, done.stderr)
        shares, errors = [], []
        skinned = 48 * 16.0 + 12 * 9.0
        for walk in (1.0, 2.0, 3.0):
            ours = 48 * walk ** 2 + 12 * 4.0
            shares.append(math.sqrt(ours / skinned))
            errors.append(math.sqrt(ours / 60))
        row = self.row(done.stdout, "embedded biped")
        self.assertEqual(row[1], "60")
        self.assertEqual(row[2], f"{math.sqrt(skinned / 60):.2f}")
        self.assertEqual(row[3], f"{sum(errors) / 3:.2f} ({min(errors):.2f} to {max(errors):.2f})")
        self.assertEqual(row[4], f"{sum(shares) / 3:.3f} ({min(shares):.3f} to {max(shares):.3f})")
        self.assertEqual(row[5], "25.0")
        self.assertEqual(self.row(done.stdout, "kick")[4], "0.667")
        self.assertNotIn("Partial", done.stdout)

    def test_unseen_poses_and_poses_beyond_the_limits_are_judged_too(self):
        done = self.run_results()
        self.assertEqual(self.row(done.stdout, "embedded biped", 1)[4], "0.200 (0.100 to 0.400)")
        self.assertEqual(self.row(done.stdout, "embedded biped", 2)[5], "100.0")
        beyond = [call for call in self.calls("poses") if "--amount 1.5" in call]
        self.assertEqual(len(beyond), 1)
        self.assertIn("--count 40", beyond[0])

    def test_worse_frames_count_by_the_seed_that_is_worst(self):
        self.order(errors={"walk": {"1": 1.0, "2": 1.0, "3": 4.5}}, frames={"walk": 50, "kick": 50})
        row = self.row(self.run_results().stdout, "walk")
        self.assertEqual(row[6], "0.67 (0.00 to 2.00)")
        self.assertEqual(row[7], "0.50")

    def test_bodies_are_built_once_a_seed_and_share_true_shapes(self):
        (self.folder / "data" / "bodies" / "heavy.glb").write_text("heavy")
        done = self.run_results("--jobs", "3", "--seeds", "1,7")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.calls("build")), 4)
        self.assertEqual(len(self.calls("simulate")), 2 * 3)
        self.assertEqual(len(self.calls("evaluate")), 2 * 2 * 3)
        self.assertEqual(self.row(done.stdout, "all")[1], "120")
        self.assertEqual(self.row(done.stdout, "walk")[1], "96")

    def test_goes_on_after_a_kill(self):
        self.order(hang=["walk_"])
        script, hanging = self.begin("--seeds", "1,2")
        script.kill()
        script.wait()
        self.assertTrue(until(lambda: not alive(hanging)), "a command outlived the script")
        self.order()
        done = self.run_results("--seeds", "1,2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("Partial", done.stdout)
        evaluated = len(self.calls("evaluate"))
        again = self.run_results("--seeds", "1,2")
        self.assertEqual(again.stdout, done.stdout)
        self.assertEqual(len(self.calls("evaluate")), evaluated, "evaluations were made twice")

    def test_goes_on_with_true_shapes_that_were_begun(self):
        self.order(hang=["simulate"])
        script, _ = self.begin("--seeds", "1")
        script.kill()
        script.wait()
        self.order()
        self.assertEqual(self.run_results("--seeds", "1").returncode, 0)
        self.assertEqual(len([call for call in self.calls("simulate") if "--resume" in call]), 1)

    def test_the_end_of_the_time_ends_with_what_there_is(self):
        self.order(hang=["walk_"])
        done = self.run_results("--seeds", "1", "--minutes", "0.03")
        self.assertEqual(done.returncode, 0)
        self.assertIn("Partial", done.stdout)
        self.assertIn("the time is over; the same call goes on", done.stderr)

    def test_a_script_around_the_program_is_stopped_with_it(self):
        self.order(hang=["walk_"])
        wrapper = self.folder / "wrapper"
        wrapper.write_text(f'#!/bin/sh\n"{ROOT}/tests/scripts/stub_sinew.py" "$@"\nexit $?\n')
        wrapper.chmod(0o755)
        script, hanging = self.begin("--seeds", "1", "--program", str(wrapper))
        script.send_signal(signal.SIGTERM)
        self.assertEqual(script.wait(timeout=60), 130)
        self.assertTrue(until(lambda: not alive(hanging)))

    def test_a_signal_ends_with_what_there_is(self):
        self.order(hang=["walk_"])
        script, hanging = self.begin("--seeds", "1")
        script.send_signal(signal.SIGTERM)
        self.assertEqual(script.wait(timeout=60), 130)
        printed = (self.folder / "printed").read_text()
        self.assertIn("Partial: 2 of 4", printed)
        self.assertEqual(self.row(printed, "kick")[1], "12")
        self.assertIn("stopped; the same call goes on", (self.folder / "said").read_text())
        self.assertTrue(until(lambda: not alive(hanging)))

    def test_partial_rows_compare_seeds_judged_by_the_same(self):
        self.order(fail=["seed_2/character.sinew", "kick_"])
        done = self.run_results("--seeds", "1,2")
        self.assertEqual(done.returncode, 4)
        self.assertIn("sinew: cannot do that", done.stderr)
        self.assertEqual(self.row(done.stdout, "embedded biped")[-1], "1")
        self.assertEqual(self.row(done.stdout, "walk")[-1], "2")

    def test_a_body_that_cannot_be_built_leaves_the_others(self):
        (self.folder / "data" / "bodies" / "heavy.glb").write_text("heavy")
        self.order(fail=["heavy.glb"])
        done = self.run_results("--seeds", "1")
        self.assertEqual(done.returncode, 4)
        self.assertEqual(self.row(done.stdout, "embedded biped")[1], "60")
        self.assertIn("Partial: 4 of 8", done.stdout)

    def test_characters(self):
        (self.folder / "data" / "fox.glb").write_text("fox")
        self.order(errors={"motion": {"1": 2.0, "2": 4.0}, "test": {"1": 1.0, "2": 1.0}})
        done = self.run_results("--seeds", "1,2", name="characters")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.row(done.stdout, "fox")[2], "3.000 .300; finest 0.300 (0.200 to 0.400)")
        self.assertIn("the worst 0.30 (fox)", done.stdout)

    def test_training_needs_no_data_and_trains_every_variant_by_every_seed(self):
        self.order(errors={"test": {"1": 1.0, "2": 3.0}})
        done = self.run_results("--seeds", "1,2", "--jobs", "3", name="training")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.row(done.stdout, "64 wide")[1:3], ["5.0 MB", "2.000 .200; finest 0.200 (0.100 to 0.300)"])
        self.assertEqual(len([call for call in self.calls("train") if "--width 64" in call]), 2)
        self.assertEqual(len(self.calls("build")), 1)
        self.assertEqual(len([line for line in done.stdout.split("\n") if " MB |" in line]), len(self.calls("train")) / 2)
        self.order(fail=["--width", "64"])
        again = self.run_results("--seeds", "1,2", name="training")
        self.assertEqual((again.returncode, again.stdout), (0, done.stdout), "trained again")

    def test_fronts_speed_and_simulation(self):
        done = self.run_results(name="fronts")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.row(done.stdout, "50")[1:5], ["0.0001", "1.00 / 2.00", "2.0 / 8.0", "2.0 / 8.0"])
        self.assertEqual(self.row(done.stdout, "error")[3:], ["4.0", "1.2", "-"])
        done = self.run_results(name="speed")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.row(done.stdout, "i8, 5.0 MB")[1:], ["100", "200", "50", "100"])
        done = self.run_results(name="simulation")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.row(done.stdout, "hand")[1:], ["20,000", "good", "9,412", "7", "0", "1", "1.1"])

    def test_a_part_of_a_table_says_so(self):
        for name, fail in (("training", ["train", "--width"]), ("fronts", ["fronts"]), ("speed", ["bench"]),
                           ("simulation", ["simulate", "hand"])):
            self.order(fail=fail)
            done = self.run_results(name=name)
            self.assertEqual(done.returncode, 4, name)
            self.assertIn("Partial", done.stdout)
            self.assertNotIn("Traceback", done.stderr)

    def test_a_program_that_prints_no_json_is_told(self):
        done = subprocess.run(self.command("captured", "--data", str(self.folder / "data"), "--work", str(self.folder / "work"),
                                           "--program", "/bin/true", "--commit", "x"), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 4)
        self.assertIn("printed no JSON", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_says_command_commit_and_date(self):
        first = self.run_results("--commit", "abc").stdout.split("\n")[0]
        self.assertRegex(first, r"^`scripts/results captured --data data`, commit abc, \d{4}-\d\d-\d\d$")
        self.assertIn("commit def (some of it made before by commit abc)", self.run_results("--commit", "def").stdout)

    def test_bad_calls_are_answered_with_one_sentence(self):
        data = ["--data", str(self.folder / "data")]
        for words, code, said in ((["walks"], 2, "there is no table walks"), (["captured"], 2, "needs data"),
                                  (["captured", "--data", str(self.folder / "no")], 3, "there is no folder"),
                                  (["captured", "--data", str(self.folder / "data" / "bodies")], 3, "has no motions"),
                                  (["captured", *data, "--program", "/none"], 3, "there is no program /none"),
                                  (["captured", *data, "--program", str(self.folder / "orders.json")], 3, "cannot be run"),
                                  (["captured", *data, "--seeds", "1,1"], 2, "numbers that differ"),
                                  (["captured", *data, "--minutes", "0"], 2, "no number above 0"),
                                  (["captured", *data, "--jobs", "0"], 2, "at least 1"),
                                  (["captured", "--walk"], 2, "unrecognized arguments")):
            stub = [] if "--program" in words else ["--program", str(ROOT / "tests" / "scripts" / "stub_sinew.py")]
            done = subprocess.run(self.command(*words, *stub), env=self.environment(), capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, code, words)
            self.assertIn(said, done.stderr)
            self.assertEqual(len(done.stderr.strip().split("\n")), 1, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_lists_names_without_one(self):
        done = subprocess.run(self.command(), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"captured +recorded motions")


if __name__ == "__main__":
    unittest.main()
