#!/usr/bin/env python3
"""Checks the plan of the house (docs/architecture.md): check_rooms.py ROOT

A room is a folder of src/sinew with sources in it. No rooms include each other in a circle; a room links exactly the rooms that
it includes, by one CMake target of its own; no room has over 7,000 lines; a room has one namespace; tests stand in the folder
of a room; a room includes only rooms that stand above it in the table of docs/architecture.md, which names all of them. JSON and
standard streams are written in one place each.
"""
import pathlib
import re
import sys

MAX_LINES = 7000
SIDES = ("runtime", "dynamics", "host", "capi", "offline")
# Projects of their own, for machines with the CUDA toolkit or libtorch and nothing else; included by learn/ as plain C headers.
APART = {"offline/learn/cuda", "offline/learn/torch"}
# Rooms whose words every other room speaks.
GROUND_FLOOR = {f"offline/{name}" for name in ("core", "mesh", "remesh", "io", "character", "anatomy")} | {"capi"}
INCLUDE = re.compile(r'^\s*#\s*include "sinew/([\w/.-]+)/[\w.-]+"', re.M)
NAMESPACE = re.compile(r"^namespace (sinew[\w:]*) \{", re.M)


def find_rooms(source):
    """Room by its path below src/sinew -> its files."""
    rooms = {}
    for path in sorted(source.rglob("*")):
        if path.suffix in (".h", ".cc"):
            rooms.setdefault(str(path.parent.relative_to(source)), []).append(path)
    return {room: files for room, files in rooms.items() if room not in APART}


def find_includes(rooms):
    """Room -> the rooms that it includes."""
    return {room: {used for file in files for used in INCLUDE.findall(file.read_text())} & rooms.keys() - {room}
            for room, files in rooms.items()}


def find_circle(includes):
    """Rooms that include each other, in order, or nothing."""
    done = set()

    def walk(room, path):
        if room in path:
            return path[path.index(room):] + [room]
        if room in done:
            return None
        for used in sorted(includes[room]):
            circle = walk(used, path + [room])
            if circle:
                return circle
        done.add(room)
        return None

    return next((circle for circle in (walk(room, []) for room in sorted(includes)) if circle), None)


def target_of(room):
    parts = room.split("/")
    if parts[0] == "runtime":
        return f"sinew_runtime_{parts[1]}"
    return f"sinew_{parts[-1]}" if room != "capi" else "sinew"


def check_side(includes):
    """The runtime uses itself, dynamics and the host the runtime, the offline side all of them."""
    allowed = {"runtime": {"runtime"}, "dynamics": {"runtime", "dynamics"},
               "host": {"runtime", "host"}, "capi": {"runtime", "host", "capi"}, "offline": set(SIDES)}
    return [f"{room}: includes {used}" for room, uses in includes.items() for used in sorted(uses)
            if used.split("/")[0] not in allowed[room.split("/")[0]]]


def check_targets(source, includes):
    """One target for each room of the offline side, that links the rooms which it includes and no others."""
    problems = []
    for room, uses in includes.items():
        if not room.startswith("offline/"):
            continue
        text = re.sub(r"#.*", "", (source / room / "CMakeLists.txt").read_text())
        calls = re.findall(r"sinew_offline_library\((\w+)([^)]*)\)", text)
        if [name for name, _ in calls] != [target_of(room)] or "add_library" in text:
            problems.append(f"{room}: its CMakeLists.txt must make {target_of(room)} and nothing else")
            continue
        linked = {word for word in calls[0][1].split() if re.fullmatch(r"sinew_\w+", word)} - {"sinew_simd"}
        wanted = {target_of(used) for used in uses}
        problems += [f"{room}: includes {name} and does not link it" for name in sorted(wanted - linked)]
        problems += [f"{room}: links {name} and includes nothing of it" for name in sorted(linked - wanted)]
    return problems


def check_sizes(rooms):
    sizes = {room: sum(len(file.read_text().splitlines()) for file in files) for room, files in rooms.items()}
    return [f"{room}: has {size} lines, over {MAX_LINES}; find the two subjects in it" for room, size in sizes.items()
            if size > MAX_LINES]


def check_namespaces(rooms):
    """The ground floor speaks in sinew, the runtime and the host in one namespace each, every other room in its own."""
    problems = []
    for room, files in rooms.items():
        side, name = room.split("/")[0], room.split("/")[-1]
        own = "sinew" if room in GROUND_FLOOR else f"sinew::{side if side in ('runtime', 'host') else name}"
        found = {name for file in files for name in NAMESPACE.findall(file.read_text())}
        strange = {name for name in found if name != own and not (own != "sinew" and name.startswith(own + "::"))}
        problems += [f"{room}: opens the namespace {name}; its own is {own}" for name in sorted(strange)]
    return problems


def check_words(root):
    """JSON is written, and standard streams are, in the one place each that no bytes and no full disk can make throw."""
    only = {r"(\.|->)dump\(": "core/json_text.cc", r"fmt::print\(|std::(cout|cerr|fputs|fprintf|printf)\b": "core/console.cc"}
    files = [path for folder in ("src/sinew/offline", "tools/sinew") for path in sorted((root / folder).rglob("*.cc"))]
    return [f"{path.relative_to(root)}: what {place} is for" for path in files for pattern, place in only.items()
            if not str(path).endswith(place) and re.search(pattern, path.read_text())]


def check_tests(root, rooms):
    """Tests stand in the folder of the room that they test."""
    places = {str(path.parent.relative_to(root / "tests")) for side in ("runtime", "dynamics", "offline")
              for path in (root / "tests" / side).rglob("*_test.cc")}
    return [f"tests/{place}: there is no room src/sinew/{place}" for place in sorted(places) if place not in rooms]


def check_page(root, includes):
    """The table of rooms in docs/architecture.md: each room includes only rooms that stand above it."""
    text = (root / "docs/architecture.md").read_text()
    named = re.findall(r"^\| `((?:%s)[\w/]*)` \|" % "|".join(SIDES), text, re.M)
    place = {room: i for i, room in enumerate(named)}
    problems = [f"docs/architecture.md: says nothing of {room}" for room in sorted(includes.keys() - place.keys())]
    problems += [f"docs/architecture.md: there is no {room}" for room in sorted(place.keys() - includes.keys())]
    return problems + [f"docs/architecture.md: {room} includes {used}, which stands below it" for room, uses in includes.items()
                       for used in sorted(uses) if place.get(used, 0) > place.get(room, len(named))]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    rooms = find_rooms(root / "src/sinew")
    includes = find_includes(rooms)
    circle = find_circle(includes)
    problems = [f"a circle: {' -> '.join(circle)}"] if circle else []
    problems += check_side(includes) + check_targets(root / "src/sinew", includes) + check_sizes(rooms)
    problems += check_namespaces(rooms) + check_tests(root, rooms) + check_page(root, includes) + check_words(root)
    print("\n".join(problems) or f"{len(rooms)} rooms, no circle")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
