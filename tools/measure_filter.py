#!/usr/bin/env python3
"""Measures how many bits a GPU's texture filter uses, and writes them into the GPU's file.

    tools/measure_filter.py gpu.json build/assay [OPTION...]

For each number of bits there is a case whose result depends on it, but not on the numbers measured
later. The tool runs the case against the golden model at each possible number; exactly one must
match. Then `assay run texture_fetch --gpu gpu.json` checks all other cases, on this GPU and on a
second one (spec/guide/new_gpu.md). Each OPTION is one of `assay replay`: --device cuda:1, --path ptx.

Exit status 1: no number matches, so the filter differs from the golden model in more than its bits;
3: several match, or a replay gave no verdict; 2: wrong arguments.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

WRONG_BITS = 'texture_fetch.value.fetched'  # the clause of a case that fails so

# Case, members that it depends on, and what to try. Integer texels lose nothing before their sum.
STEPS = (
    (
        'texture_fetch n=100000 width=4093 height=0 normalized=1 fill=uniform seed=1',
        [{'coordinate_bits': bits} for bits in range(12, 25)],
    ),
    (
        'texture_fetch n=100000 width=61 height=0 texel=2 filter=1 fill=uniform seed=1',
        [
            {'weight_bits': bits, 'halves_down': down}
            for bits in range(4, 13)
            for down in (False, True)
        ],
    ),
    (
        'texture_fetch n=100000 width=509 height=64 filter=1 fill=random seed=1',
        [{'sum_bits': bits} for bits in range(24, 33)],
    ),
)


def has_bits(options, case, gpu, folder):
    """True if the case passes on the GPU with the file's filter; False if its bits are wrong."""
    tried = pathlib.Path(folder, 'tried.json')
    tried.write_text(json.dumps(gpu))
    command = [options.assay, 'replay', case, 'texture_fetch/array', '--gpu', tried]
    run = subprocess.run(command + options.options, capture_output=True, text=True, check=False)
    is_wrong = run.returncode == 1 and WRONG_BITS in run.stdout
    if run.returncode != 0 and not is_wrong:
        why = (run.stderr or run.stdout).strip().splitlines()[-1:]
        print(f'measure_filter: {case}: no verdict: {" ".join(why)}', file=sys.stderr)
        sys.exit(2 if run.returncode == 2 else 3)
    return not is_wrong


def measure(options, gpu):
    """Puts the filter into the file's contents, a member after another; exits if none fits."""
    gpu['filter'] = {'coordinate_bits': 21, 'weight_bits': 8, 'sum_bits': 28, 'halves_down': False}
    with tempfile.TemporaryDirectory() as folder:
        for case, candidates in STEPS:
            fitting = []
            for candidate in candidates:
                gpu['filter'].update(candidate)
                if has_bits(options, case, gpu, folder):
                    fitting.append(candidate)
            words = ' or '.join(
                ', '.join(f'{key} {json.dumps(value)}' for key, value in each.items())
                for each in fitting
            )
            print(f'{words or "none"} of {len(candidates)} tried: {case}')
            if len(fitting) == len(candidates):
                print(f'measure_filter: all match: is this the GPU of {options.gpu}?', file=sys.stderr)
            if len(fitting) != 1:
                sys.exit(3 if fitting else 1)
            gpu['filter'].update(fitting[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('gpu', type=pathlib.Path)
    parser.add_argument('assay')
    parser.add_argument('options', metavar='OPTION', nargs=argparse.REMAINDER)
    options = parser.parse_args()
    try:
        gpu = json.loads(options.gpu.read_text())
        gpu.update(filter={})
    except (OSError, ValueError, AttributeError) as error:
        parser.error(f'{options.gpu}: {error}; tools/gpu_file.py begins such a file')
    try:
        measure(options, gpu)
        made = options.gpu.with_name(options.gpu.name + '.new')
        made.write_text(json.dumps(gpu, indent=1) + '\n')
        made.replace(options.gpu)
    except OSError as error:
        print(f'measure_filter: {error}', file=sys.stderr)
        sys.exit(2)


if __name__ == '__main__':
    main()
