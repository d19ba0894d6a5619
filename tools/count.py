#!/usr/bin/env python3
"""Counts the C sources of the tree: how large each room is, and the shape of its functions.

    tools/count.py [--rooms] [FOLDER]

Product: .c and .h without tests, test support, fuzz targets and mutants. Lines: neither blank nor
comment alone. A function is what clang-format lays out as one: a body between braces in column 0;
its length is from the signature's last line to the closing brace, both included. "once": static
functions that their file names once outside their definition. "thin": headers that declare one
function or none. Meson's generated files are not in the tree, so they are not counted.
"""

import argparse
import pathlib
import re
import statistics
import subprocess

TEST = re.compile(r'(^|/)test/|/test_|^spec/suite/|^spec/testing|^fuzz/targets/|stand_in|fake_|^cuda/mutants/')
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
BODY = re.compile(r'^([A-Za-z_][^;{}#]*\([^;{}]*\))\n\{\n(.*?)^\}', re.S | re.M)
DECLARATION = re.compile(r'^[A-Za-z_][^;{}#=]*\([^;{}]*\)[^;{}()]*;', re.S | re.M)


def without_comments(text):
    """The text with each comment blanked and its line ends kept; strings stay."""

    def blank(match):
        found = match.group()
        return '\n' * found.count('\n') + ' ' if found[0] == '/' else found

    return COMMENT.sub(blank, text)


class Room:
    """Sums over files."""

    def __init__(self):
        self.files = self.lines = self.written = self.comments = self.thin = self.once = 0
        self.lengths = []

    def add_file(self, name, text):
        code = without_comments(text)
        written = sum(1 for line in text.split('\n') if line.strip())
        lines = sum(1 for line in code.split('\n') if line.strip())
        self.files += 1
        self.lines += lines
        self.written += written
        self.comments += written - lines
        for match in BODY.finditer(code):
            head = match.group(1)
            self.lengths.append(match.group(2).count('\n') + 3)
            if re.match(r'static\b', head):
                symbol = re.search(r'(\w+)\s*\(', head).group(1)
                self.once += len(re.findall(r'\b%s\b' % symbol, code)) == 2
        if name.endswith('.h'):
            self.thin += len(DECLARATION.findall(code)) <= 1

    def row(self, name):
        lengths = sorted(self.lengths) or [0]
        return '%-26s %6d %6d %6d %6d %6d %6d %6d %6d %7.1f' % (
            name,
            self.lines,
            self.files,
            len(self.lengths),
            statistics.median(lengths),
            lengths[(len(lengths) * 9) // 10],
            self.once,
            self.thin,
            self.lines // max(self.files, 1),
            100 * self.comments / max(self.written, 1),
        )


def sources(folder):
    """The C files that git has or does not ignore, below the folder."""
    named = subprocess.run(
        ['git', 'ls-files', '--cached', '--others', '--exclude-standard', '*.c', '*.h'],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split('\n')
    return [name for name in named if name and (folder / name).is_file()]


def room_of(name):
    parts = name.split('/')
    return (
        '/'.join(parts[:2]) if parts[0] in ('conformance', 'cuda') and len(parts) > 2 else parts[0]
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        'folder',
        nargs='?',
        type=pathlib.Path,
        default=pathlib.Path(__file__).resolve().parent.parent,
    )
    parser.add_argument('--rooms', action='store_true', help='a row for each room, too')
    options = parser.parse_args()
    rooms, product, tests = {}, Room(), Room()
    for name in sources(options.folder):
        text = (options.folder / name).read_text(encoding='utf-8')
        if TEST.search(name):
            tests.add_file(name, text)
            continue
        product.add_file(name, text)
        rooms.setdefault(room_of(name), Room()).add_file(name, text)
    print(
        '%-26s %6s %6s %6s %6s %6s %6s %6s %6s %7s'
        % ('', 'lines', 'files', 'funcs', 'median', 'p90', 'once', 'thin', 'a file', 'comment')
    )
    for name in sorted(rooms) if options.rooms else ():
        print(rooms[name].row(name))
    print(product.row('product'))
    print(tests.row('tests'))


if __name__ == '__main__':
    main()
