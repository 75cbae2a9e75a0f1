#!/usr/bin/env python3
"""Tests scripts/pack on a small program: pack_test.py C++COMPILER"""
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPILER = sys.argv.pop(1) if len(sys.argv) > 1 else "c++"
PROGRAM = r"""
#include <dlfcn.h>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
int Answer();
int main(int count, char** words) {
  try { throw std::runtime_error("caught"); } catch (const std::exception& error) { std::cout << error.what(); }
  if (count > 1 && words[1] == std::string("starter")) std::cout << " " << std::getenv("SINEW_STARTER");
  for (int i = 1; i < count; ++i) std::cout << " [" << words[i] << "]";
  std::cout << " " << Answer() << (dlopen("libsinew_torch.so", RTLD_NOW) ? " with torch" : " alone") << std::endl;
  return 7;
}
"""


class PackTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = tempfile.TemporaryDirectory()
        cls.work = pathlib.Path(cls.made.name)
        # A library in a folder of its own stands for one that only the machine that builds has installed.
        cls.system = cls.work / "system"
        (cls.system / "usr" / "lib").mkdir(parents=True)
        cls.compile("int Answer() { return 42; }", cls.system / "usr" / "lib" / "libanswer.so", "-shared", "-fPIC")
        cls.program = cls.work / "program"
        cls.compile(PROGRAM, cls.program, f"-L{cls.system}/usr/lib", "-lanswer", "-ldl")

    @classmethod
    def tearDownClass(cls):
        cls.made.cleanup()

    @classmethod
    def compile(cls, text, target, *options):
        source = cls.work / "source.cc"
        source.write_text(text)
        subprocess.run([COMPILER, "-g", str(source), "-o", str(target), *options], check=True)

    def pack(self, *words):
        return subprocess.run([sys.executable, str(ROOT / "scripts" / "pack"), "--program", str(self.program), *words],
                              capture_output=True, text=True, check=False)

    def packed(self, name, *words):
        folder = self.work / name
        done = self.pack("-o", str(folder), "--sysroot", str(self.system), "--sysroot", "/", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return folder

    def start(self, folder, *words, **environment):
        return subprocess.run([str(folder / "sinew"), *words], capture_output=True, text=True, check=False, env=environment)

    def test_runs_without_the_libraries_and_the_environment_of_the_machine(self):
        folder = self.packed("plain", "--no-archive")
        for loader in ("packed", "system"):
            done = self.start(folder, "one", "two words", SINEW_LOADER=loader)
            self.assertEqual((done.returncode, done.stdout), (7, "caught [one] [two words] 42 alone\n"), done.stderr)
        self.assertEqual(self.start(folder).returncode, 7)

    def test_finds_itself_from_anywhere(self):
        folder = self.packed("moved", "--no-archive")
        here = subprocess.run(["./sinew"], cwd=folder, capture_output=True, text=True, check=False)
        self.assertEqual(here.returncode, 7, here.stderr)
        other = self.work / "with a blank"
        folder.rename(other)
        # By this it finds its models, and starts itself again.
        started = self.start(other, "starter")
        self.assertEqual(started.returncode, 7)
        self.assertIn(f" {other}/sinew [starter]", started.stdout)

    @unittest.skipUnless(os.geteuid() == 0, "only root can change the root folder")
    def test_needs_nothing_outside_its_folder(self):
        folder = self.packed("alone", "--no-archive")
        loader = next((folder / "lib" / "glibc").glob("ld-linux*"))
        done = subprocess.run(["chroot", str(folder), f"/lib/glibc/{loader.name}", "--library-path",
                               "/lib:/lib/stdcxx:/lib/glibc", "/lib/sinew"],
                              capture_output=True, text=True, check=False, env={"PATH": os.environ["PATH"]})
        self.assertEqual((done.returncode, done.stdout), (7, "caught 42 alone\n"), done.stderr)

    def test_loads_what_is_put_beside_it(self):
        folder = self.packed("beside", "--no-archive")
        self.compile("int torch;", folder / "libsinew_torch.so", "-shared", "-fPIC")
        for loader in ("packed", "system"):
            self.assertIn("with torch", self.start(folder, SINEW_LOADER=loader).stdout)

    def test_strips_and_packs_data_and_an_archive_of_the_same_bytes(self):
        data = self.work / "data"
        data.mkdir()
        (data / "body.glb").write_text("body")
        folder = self.packed("full", "--data", str(data), str(self.program))
        self.assertEqual((folder / "data" / "body.glb").read_text(), "body")
        for file in (ROOT / "models").iterdir():
            self.assertEqual((folder / "models" / file.name).read_bytes(), file.read_bytes())
        self.assertLess((folder / "lib" / "sinew").stat().st_size, self.program.stat().st_size)
        archive = folder.with_name("full.tar.xz")
        first = archive.read_bytes()
        self.packed("full", "--data", str(data), str(self.program))
        self.assertEqual(archive.read_bytes(), first)
        shutil.rmtree(folder)
        with tarfile.open(archive) as file:
            file.extractall(self.work)
        self.assertEqual(self.start(folder).returncode, 7)

    def test_refuses_in_a_sentence(self):
        lost = self.pack("-o", str(self.work / "lost"))
        self.assertEqual(lost.returncode, 4)
        self.assertRegex(lost.stderr, r"libanswer.so, which program needs, is in no folder of .*--sysroot")
        self.assertFalse((self.work / "lost").exists())
        taken = self.work / "taken"
        taken.mkdir()
        (taken / "thesis.tex").write_text("mine")
        done = self.pack("-o", str(taken), "--sysroot", str(self.system), "--sysroot", "/")
        self.assertIn("is no packed program", done.stderr)
        self.assertTrue((taken / "thesis.tex").exists())
        self.assertIn("is not there", self.pack("-o", str(self.work / "a"), "--program", "/no/such").stderr)
        missing = self.pack("-o", str(self.work / "a"), "--sysroot", str(self.system), "--sysroot", "/", "--data", "/no/such")
        self.assertIn("--data /no/such is not there", missing.stderr)
        self.assertIn("packed or system", self.start(self.packed("odd", "--no-archive"), SINEW_LOADER="none").stderr)


if __name__ == "__main__":
    unittest.main()
