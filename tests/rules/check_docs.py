#!/usr/bin/env python3
"""Checks what can be read off the documentation: check_docs.py ROOT SINEW

Links lead to files and their sections, commands and their options exist, settings of a build exist, and so do the files that are named.
"""
import pathlib
import re
import subprocess
import sys

SETTING = re.compile(r"\b([a-z_]+)\.([a-z_]+)\b(?!\()")
FILES = {"checkpoint", "dataset", "deformer", "glb", "html", "json", "md", "poses", "sinew", "svg", "toml", "ts"}
PATH = re.compile(r"`((?:src/sinew|offline|runtime|tests|scripts|tools|viewer|examples|docs)/[\w/.-]*\w)`")
CALL = re.compile(r"(?:^|[ /(`])sinew ([a-z][a-z-]+)(.*)")


def code(text):
    """What is set as code: spans, fenced lines, indented lines."""
    fenced = re.findall(r"^```[^\n]*\n(.*?)^```", text, re.S | re.M)
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M))
    return spans + [line for block in fenced for line in block.split("\n")] + re.findall(r"^ {4}(sinew .*)", text, re.M)


def sections_of(page):
    """Names of a page's sections in links: small letters and dashes, as GitHub makes them of headings."""
    headings = re.findall(r"^#+ (.*)", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.S | re.M), re.M)
    return {re.sub(r"[^\w -]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


class Program:
    def __init__(self, path):
        self.path = path
        self.helps = {}

    def run(self, *words):
        return subprocess.run([self.path, *words], capture_output=True, text=True, check=False).stdout

    def help(self, *words):
        if words not in self.helps:
            self.helps[words] = self.run(*words, "--help")
        return self.helps[words]

    def settings(self):
        found, section = set(), ""
        for line in self.run("build", "--print-config").split("\n"):
            section = re.sub(r"^\[(\w+)\].*", r"\1", line) if line.startswith("[") else section
            key = re.match(r"(\w+) = ", line)
            if key:
                found.add((section, key.group(1)))
        return found


def check_call(program, command, rest):
    words = [command]
    sub = re.match(r" ([a-z][a-z-]*)", rest)
    if command in ("body", "contact", "corpus", "dataset", "learn") and sub:
        words.append(sub.group(1))
    text = program.help(*words)
    if not text:
        return [f"there is no 'sinew {' '.join(words)}'"]
    options = re.findall(r"(?<![\w-])(--[a-z][a-z-]*)", rest.split(" # ")[0])
    return [f"'sinew {' '.join(words)}' has no {option}" for option in options if option not in text]


def check_page(root, page, program, settings):
    text = page.read_text()
    sections = {section for section, _ in settings}
    problems = []
    for link, section in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", text):
        target = page.parent / link if link else page
        if "://" not in link and not target.exists():
            problems.append(f"the link {link} leads nowhere")
        elif section and target.suffix == ".md" and section not in sections_of(target):
            problems.append(f"the link {link}#{section} leads to no section")
    for piece in code(text):
        call = CALL.search(piece)
        if call:
            problems += check_call(program, *call.groups())
        for setting in SETTING.findall(piece) if "/" not in piece else []:
            if setting[0] in sections and setting not in settings and setting[1] not in FILES:
                problems.append(f"there is no setting {'.'.join(setting)}")
    for path in PATH.findall(text):
        if not (root / path).exists() and not (root / "src/sinew" / path).exists():
            problems.append(f"there is no {path}")
    return [f"{page.relative_to(root)}: {problem}" for problem in problems]


def main():
    root, program = pathlib.Path(sys.argv[1]).resolve(), Program(sys.argv[2])
    settings = program.settings()
    pages = [root / "README.md", root / "CHANGES.md", *sorted((root / "docs").rglob("*.md"))]
    problems = [problem for page in pages for problem in check_page(root, page, program, settings)]
    if not settings:
        problems.append("sinew build --print-config prints no settings")
    print("\n".join(problems) or f"{len(pages)} pages")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
