#!/usr/bin/env python3
"""Packs the files of data/ and specimens/, and the pages of the rules, into the program.

usage: embed.py SOURCE_ROOT PAGES OUT.c OUT.bin OUT.d

PAGES is the folder that tools/rule_pages makes; its name in the program is docs/rules. OUT.bin
holds all contents one after another, each followed by a NUL; OUT.c pulls it in with .incbin and
lists path, offset and size in byte order of the paths; OUT.d tells ninja what to watch. The digest names the content of data/ and specimens/: a catalogue is refreshed when it changes.
"""
import hashlib
import os
import sys

PAGES = "docs/rules"


def walk(top, name_in_program):
    """All folders below `top` (a new file changes its folder), and {name in the program: path} of its files."""
    seen_folders, files = [], {}
    for here, folders, names in os.walk(top):
        folders[:] = sorted(f for f in folders if f != "__pycache__")
        seen_folders.append(here)
        for name in sorted(names):
            if not name.endswith(".pyc"):
                path = os.path.join(here, name)
                files[os.path.join(name_in_program, os.path.relpath(path, top))] = path
    return seen_folders, files


def c_text(path):
    plain = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+ "
    return '"' + "".join(chr(c) if c in plain else f'\\x{c:02x}""' for c in os.fsencode(path)) + '"'


def main():
    root, pages, out_c, out_bin, out_d = sys.argv[1:]
    folders, files = [], {}
    for top, name in ((os.path.join(root, "data"), "data"), (pages, PAGES), (os.path.join(root, "specimens"), "specimens")):
        more_folders, more_files = walk(top, name)
        folders += more_folders
        files.update(more_files)
    digest = hashlib.sha256()
    rows, blob = [], bytearray()
    for path in sorted(files, key=os.fsencode):
        with open(files[path], "rb") as f:
            content = f.read()
        if not path.startswith(PAGES):
            digest.update(os.fsencode(path) + b"\0" + hashlib.sha256(content).digest())
        rows.append(f"    {{{c_text(path)}, {len(os.fsencode(path))}, {len(blob)}, {len(content)}}},\n")
        blob += content + b"\0"
    with open(out_bin, "wb") as f:
        f.write(blob)
    with open(out_c, "w") as f:
        f.write('#include "knowledge/embedded_table.h"\n\n')
        f.write('__asm__(".section .rodata\\n.balign 16\\n.hidden lw_embedded_bytes\\n"\n')
        f.write('        ".global lw_embedded_bytes\\n.type lw_embedded_bytes, @object\\n"\n')
        f.write(f'        "lw_embedded_bytes:\\n.incbin \\"{os.path.abspath(out_bin)}\\"\\n.byte 0\\n.previous\\n");\n\n')
        f.write("const struct lw_embedded_row lw_embedded_rows[] = {\n" + "".join(rows) + "    {\"\", 0, 0, 0}};\n")
        f.write(f"const size_t lw_embedded_count = {len(rows)};\n")
        f.write(f'const char lw_embedded_sha256[] = "{digest.hexdigest()}";\n')
    with open(out_d, "w") as f:
        inputs = [os.path.abspath(p) for p in folders + list(files.values())]
        f.write(f"{out_c}: " + " ".join(p.replace(" ", "\\ ") for p in inputs) + "\n")


main()
