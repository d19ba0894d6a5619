#!/usr/bin/env python3
"""Puts what was made for a GPU into its file (spec/gpu_file.md), which it makes if there is none.

    tools/gpu_file.py gpu.json RECORD...           name, compute capability, and where rows come from
    tools/gpu_file.py gpu.json floors.json         of `assay floors`
    tools/gpu_file.py gpu.json budgets.json        of tools/make_budgets.py

tools/measure_filter.py adds the texture filter. `assay info --gpu gpu.json` checks the result.
"""

import argparse
import json
import pathlib
import sys

STACK = ('driver', 'toolkit')  # of all records of a file
SECTIONS = ('floors', 'budgets')  # and what such a file says that it is


def devices(text):
    """The GPUs of a record, each with its compute capability as a number, 137 for 13.7."""
    for line in text.splitlines():
        device = json.loads(line).get('device')
        if isinstance(device, dict) and not device['label'].startswith('sm_'):
            major, minor = device['compute_capability'].split('.')
            if int(major) > 0:  # the host device has none
                yield {**device, 'compute_capability': 10 * int(major) + int(minor)}


def put(gpu, text):
    """Puts a file's contents into the file of the GPU. ValueError with the reason."""
    first = text.lstrip().partition('\n')[0]
    if first.startswith('{"record"'):
        found = list(devices(text))
        kinds = sorted({(each['name'], each['compute_capability']) for each in found})
        known = (gpu.get('gpu'), gpu.get('compute_capability'))
        if len(kinds) != 1 or known not in ((None, None), kinds[0]):
            raise ValueError(f'it is a record of {kinds or "no GPU"}, not of this one alone')
        gpu['gpu'], gpu['compute_capability'] = kinds[0]
        head = json.loads(first)
        source = {
            'uuids': sorted({each['uuid'] for each in found}),
            'driver': found[0]['driver'],
            'toolkit': head.get('toolkit', ''),
            'date': head['started'][:10],
        }
        before = gpu.get('source', source)
        if [before[key] for key in STACK] != [source[key] for key in STACK]:
            raise ValueError('it is of another driver or toolkit than the records before it')
        uuids = before['uuids']
        if not isinstance(uuids, list) or not all(isinstance(uuid, str) for uuid in uuids):
            raise ValueError('the uuids of the GPU file are no list of texts')
        source['uuids'] = sorted({*uuids, *source['uuids']})
        gpu['source'] = source
        return
    made = json.loads(text)
    sections = made if isinstance(made, dict) else {}
    section = next((each for each in SECTIONS if sections.get(each) == 'assay'), None)
    if section is None:
        raise ValueError('it is neither a record, nor floors, nor budgets')
    gpu[section] = made


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('gpu', type=pathlib.Path)
    parser.add_argument('inputs', nargs='*', type=pathlib.Path)
    options = parser.parse_args()
    gpu = {'gpu_file': 'assay', 'version': 1}
    if options.gpu.exists():
        gpu = json.loads(options.gpu.read_text())
    for path in options.inputs:
        try:
            put(gpu, path.read_text())
        except (OSError, ValueError) as error:
            sys.exit(f'gpu_file: {path}: {error}')
        except (LookupError, TypeError, AttributeError):
            sys.exit(f'gpu_file: {path}: it, or {options.gpu}, is damaged')
    if 'gpu' not in gpu:
        sys.exit(f'gpu_file: {options.gpu} is new: name a record of the GPU first')
    options.gpu.write_text(json.dumps(gpu, indent=1) + '\n')


if __name__ == '__main__':
    main()
