#!/usr/bin/env python3
"""Makes budgets of machine code from a record of `assay codegen --cubins`.

    tools/make_budgets.py --into spec/codegen_budgets.json RECORD [KERNEL...]
    tools/make_budgets.py RECORD [KERNEL...] >budgets.json

The first form replaces in FILE the budgets of the functions in the record, and adds new ones; the budgets
of other architectures and kernels stay. A function that the record's kernels no longer have is removed on the
architectures of the record; a kernel that cuda/kernels.def no longer has, on all. The second form makes a file
of the record alone.

A kernel with local memory spills, and is refused, unless it has arrays there: ARRAYS below, and each
KERNEL that is named. Clause codegen.budget.registers in spec/codegen.md is the rule; `assay codegen --budgets FILE`
checks the result.
"""

import argparse
import json
import os
import pathlib
import re
import sys

REGISTERS_MAX = 255  # a thread
CODE_PADDING_BYTES = 512
KERNELS = pathlib.Path(__file__).resolve().parents[1] / 'cuda' / 'kernels.def'
ARRAYS = (
    'shared_stride/global',
    'variable_scope/automatic',
    'thread_array/local',
    'thread_array/bounded',
    'thread_array/capped',
)


def registers(measured, occupancy):
    """The most registers with which an SM holds as many blocks; without occupancy, those measured."""
    if occupancy is None:
        return measured
    warps = -(-occupancy['threads'] // 32)

    def blocks(count):
        """As spec/occupancy.md: four partitions of 16,384 registers, units of 256 a warp."""
        return 16384 // (-(-count * 32 // 256) * 256) * 4 // warps

    while measured < REGISTERS_MAX and blocks(measured + 1) >= occupancy['blocks']:
        measured += 1
    return measured


def budget(line):
    return {
        'kernel': line['kernel'],
        'function': line['function'],
        'registers': registers(line['registers'], line.get('occupancy')),
        'local_bytes': line['local_bytes'],
        'shared_bytes': line['shared_bytes'],
        'code_bytes': line['code_bytes'] + line['code_bytes'] // 2 + CODE_PADDING_BYTES,
        'measured': {'registers': line['registers'], 'code_bytes': line['code_bytes']},
    }


def why_not(line, arrays):
    """Why no budget can be made of the line; None if it can."""
    if not line['device'].startswith('sm_'):
        return 'it was made on a device: make budgets with --cubins'
    if line['kernel'].startswith('mutant/'):
        return 'it has a mutant'
    if not line.get('registers') or not line.get('code_bytes'):
        return 'it has a function without figures'
    if line['local_bytes'] > 0 and line['kernel'] not in arrays:
        return f"{line['function']} spills; if it has arrays in local memory, name its kernel, {line['kernel']}"
    return None


def read(lines, arrays):
    """The record's header, and its budgets by architecture. ValueError with the reason."""
    header, measured = {}, {}
    for line in lines:
        row = json.loads(line)
        if 'record' in row:
            header = row
        if 'codegen' in row:
            fields = row['codegen']
            reason = why_not(fields, arrays)
            if reason:
                raise ValueError(reason)
            measured.setdefault(int(fields['device'][len('sm_') :]), []).append(budget(fields))
    if not measured:
        raise ValueError('it has no lines of machine code')
    return header, measured


def merge(old, new, is_kept):
    """`new` in its order, each kept row of `old` after the row that it follows there. The count of kept rows."""
    rows = {(row['kernel'], row['function']): row for row in new}
    merged, at, kept = list(new), 0, 0
    for row in old:
        if (row['kernel'], row['function']) in rows:
            at = merged.index(rows[row['kernel'], row['function']]) + 1
        elif is_kept(row):
            merged.insert(at, row)
            at, kept = at + 1, kept + 1
    return merged, kept


def make(lines, arrays, old=None, known=()):
    """The file's text from the record's lines, merged into the file `old` if there is one; `known` has the
    kernels of this tree. ValueError with the reason."""
    header, measured = read(lines, arrays)
    toolkit, date = header.get('toolkit', ''), header.get('started', '')[: len('YYYY-MM-DD')]
    architectures = dict(measured)
    for each in old['architectures'] if old else ():
        number = each['architecture']
        gone = header.get('kernels', ()) if number in measured else ()
        architectures[number], kept = merge(
            each['functions'],
            measured.get(number, []),
            lambda row: row['kernel'] in known and row['kernel'] not in gone,
        )
        if kept and old['toolkit'] != toolkit:
            raise ValueError(
                f'it is of toolkit {toolkit}, and lacks budgets of sm_{number} of toolkit '
                f'{old["toolkit"]}: record all kernels in a build with -Dgpu_archs=all'
            )
    if old:
        architectures = {key: architectures[key] for key in sorted(architectures) if architectures[key]}
    rows = [
        '    {\n      "architecture": %d,\n      "functions": [\n        %s\n      ]\n    }'
        % (number, ',\n        '.join(map(json.dumps, functions)))
        for number, functions in architectures.items()
    ]
    return (
        '{\n  "budgets": "assay",\n  "version": 1,\n  "toolkit": %s,\n  "date": %s,\n'
        '  "architectures": [\n%s\n  ]\n}\n'
    ) % (json.dumps(toolkit), json.dumps(date), ',\n'.join(rows))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('--into', metavar='FILE', type=pathlib.Path)
    parser.add_argument('record')
    parser.add_argument('kernel', nargs='*')
    options = parser.parse_args()
    arrays = (*ARRAYS, *options.kernel)
    try:
        old = json.loads(options.into.read_text(encoding='utf-8')) if options.into else None
        table = KERNELS.read_text(encoding='utf-8') if old else ''
        known = ['/'.join(row) for row in re.findall(r'^KERNEL\((\w+), (\w+),', table, re.M)]
        with open(options.record, encoding='utf-8') as record:
            text = make(record, arrays, old, known)
        if options.into:
            new = options.into.with_name(options.into.name + '.new')
            new.write_text(text, encoding='utf-8')
            os.replace(new, options.into)
        else:
            sys.stdout.write(text)
    except (OSError, ValueError, KeyError) as error:
        print('make_budgets: %s: %s' % (options.record, error), file=sys.stderr)
        sys.exit(2)


if __name__ == '__main__':
    main()
