"""Files of the tables: names, contents, JSON."""
import hashlib
import json
import os


def stem(path):
    return os.path.splitext(os.path.basename(path))[0]


def digest(*paths):
    """Eight letters that tell the contents of files apart."""
    hashed = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            hashed.update(file.read())
    return hashed.hexdigest()[:8]


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write_json(path, value):
    """Writes a file whole or not at all."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    part = path + ".part"
    with open(part, "w", encoding="utf-8") as file:
        json.dump(value, file)
    os.replace(part, path)
