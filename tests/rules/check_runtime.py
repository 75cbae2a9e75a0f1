#!/usr/bin/env python3
"""Checks the runtime's promises that can be read off its files (docs/architecture.md, rule 1).

check_runtime.py includes SOURCE_FOLDER
    Every file includes the standard library, compiler intrinsics, Highway, the runtime and (if it is that) dynamics itself, and nothing else, and
    stays inside the part of C++20 that emscripten's library has.
check_runtime.py symbols NM LIBRARY...
    No object refers to the heap, exceptions, locks, threads, files or the system.
check_runtime.py stack BUILD_FOLDER BYTES
    No function's frame (g++ -fstack-usage) is larger than BYTES, and none is unbounded.
"""
import pathlib
import re
import subprocess
import sys

STANDARD = set("""algorithm array atomic bit cassert cfloat cinttypes climits cmath concepts cstddef cstdint cstring
initializer_list iterator limits numbers span string_view tuple type_traits utility""".split())
INTRINSICS = {"arm_neon.h", "immintrin.h", "wasm_simd128.h"}
MISSING_IN_EMSCRIPTEN = ["std::bit_cast", "std::ranges", "std::format", "std::jthread", "std::views"]

# What undefined symbols of the runtime's objects may be: its own, Highway's, and pure functions of the C library.
PURE = set("""memcpy memmove memset memcmp bcmp log1p sqrtf sqrt asinf atan2f fminf fmaxf fabsf __stack_chk_fail _GLOBAL_OFFSET_TABLE_
__memcpy_chk __memset_chk __memmove_chk""".split())
OWN = re.compile(r"^_Z\w*(5sinew7runtime|5sinew8dynamics|3hwy)\w*|^\.refptr\.|^___chkstk_ms$")


def check_includes(folder):
    problems = []
    for path in sorted(folder.rglob("*.[hc]*")):
        if path.suffix not in (".h", ".cc"):
            continue
        text = path.read_text()
        for number, line in enumerate(text.splitlines(), 1):
            found = re.match(r'\s*#\s*include\s*([<"])([^>"]+)', line)
            if found and not allowed(found[1], found[2], folder.name):
                problems.append(f"{path}:{number}: includes {found[2]}")
            problems += [f"{path}:{number}: uses {word}" for word in MISSING_IN_EMSCRIPTEN if word in line]
    return problems


def allowed(bracket, name, side):
    if bracket == "<":
        return name in STANDARD or name in INTRINSICS
    return name.startswith(("sinew/runtime/", f"sinew/{side}/", "hwy/"))


def check_symbols(nm, libraries):
    problems = []
    for library in libraries:
        listing = subprocess.run([nm, "--undefined-only", library], check=True, capture_output=True, text=True).stdout
        names = {line.split()[-1] for line in listing.splitlines() if re.match(r"\s+[Uw] ", line)}
        problems += [f"{library}: refers to {n}" for n in sorted(names) if n not in PURE and not OWN.match(n)]
    return problems


def check_stack(folder, most):
    problems, seen = [], 0
    for path in sorted(folder.rglob("*.su")):
        for line in path.read_text().splitlines():
            function, size, kind = line.rsplit("\t", 2)
            seen += 1
            if int(size) > most or (kind != "static" and "bounded" not in kind):
                problems.append(f"{function}: {size} bytes of stack, {kind}")
    return problems if seen else [f"{folder}: no .su files; was it built with -fstack-usage?"]


def main():
    what, rest = sys.argv[1], sys.argv[2:]
    if what == "includes":
        problems = check_includes(pathlib.Path(rest[0]))
    elif what == "symbols":
        problems = check_symbols(rest[0], rest[1:])
    else:
        problems = check_stack(pathlib.Path(rest[0]), int(rest[1]))
    print("\n".join(problems) if problems else "as promised")
    return 1 if problems else 0


sys.exit(main())
