#!/usr/bin/env python3
"""Writes spec/codegen_budgets.json from a record of `assay codegen --cubins`.

    tools/make_budgets.py RECORD [KERNEL...] >spec/codegen_budgets.json

A kernel with local memory spills, and is refused, unless it has arrays there: ARRAYS below, and each
KERNEL that is named. Clause codegen.budget.registers in spec/codegen.md is the rule; `assay codegen --budgets FILE`
checks the result.
"""

import argparse
import json
import sys

REGISTERS_MAX = 255  # a thread
CODE_PADDING_BYTES = 512
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


def make(lines, arrays):
    """The file's text from the record's lines. ValueError with the reason."""
    toolkit = date = ''
    architectures = {}
    for line in lines:
        row = json.loads(line)
        if 'record' in row:
            toolkit, date = row['toolkit'], row['started'][: len('YYYY-MM-DD')]
        if 'codegen' in row:
            fields = row['codegen']
            reason = why_not(fields, arrays)
            if reason:
                raise ValueError(reason)
            number = int(fields['device'][len('sm_') :])
            architectures.setdefault(number, []).append(json.dumps(budget(fields)))
    if not architectures:
        raise ValueError('it has no lines of machine code')
    rows = [
        '    {\n      "architecture": %d,\n      "functions": [\n        %s\n      ]\n    }'
        % (number, ',\n        '.join(functions))
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
    parser.add_argument('record')
    parser.add_argument('kernel', nargs='*')
    options = parser.parse_args()
    try:
        with open(options.record, encoding='utf-8') as record:
            sys.stdout.write(make(record, (*ARRAYS, *options.kernel)))
    except (OSError, ValueError, KeyError) as error:
        print('make_budgets: %s: %s' % (options.record, error), file=sys.stderr)
        sys.exit(2)


if __name__ == '__main__':
    main()
