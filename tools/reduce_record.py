#!/usr/bin/env python3
"""Makes the record of a bench small enough to be kept in spec/measured.

    tools/reduce_record.py RECORD >FILE
    tools/reduce_record.py --gates GATE... >FILE
    tools/reduce_record.py --example RECORD >FILE

It leaves what floors are made of (conformance/speed/floors_make.c) and what test_aa reads, with
five digits. --gates joins the repeats of several gates of one GPU, each speed's in one list, for
test chance_of_gates. --example keeps the whole record, for a folder example/. All leave out which
machine it was; the UUID of a GPU, from which floors are made, goes with --example alone. Exit status 2 and a line on standard error if a record is not JSON.

The end of the record is left out, since it is that of other lines; without one a record was cut short.
build/conformance/record_end FILE writes it (`ninja -C build conformance/record_end`).
"""

import json
import re
import sys

WHOLE = ['record', 'device', 'summary']  # lines that are kept as they are
KEPT = {
    'bench': 'kernel device path element_bytes shape regime verdict clause samples gbps '
    'fraction_of_ceiling',
    'peak': 'device regime verdict clause gbps fraction_of_peak',
    'latency': 'call device cpu hypervisor verdict clause us',
}


KEPT_OF_GATES = dict(KEPT, ceiling='device shape regime footprint_bytes memcpy_verdict memcpy_gbps')
OF_MACHINE = {'record': 'host machine booted', 'device': 'serial pci', 'reduced': 'kept'}
BARE = ['record', 'reduced']  # lines whose fields are under no name
REPEATS = ['gbps', 'us', 'memcpy_gbps', 'fraction_of_ceiling', 'fraction_of_peak']


def nameless(line):
    """The line without the fields that say which machine it was."""
    for kind, keys in OF_MACHINE.items():
        fields = line if kind in BARE and kind in line else line.get(kind)
        for key in keys.split() if isinstance(fields, dict) else []:
            fields.pop(key, None)
    return line


def example(line):
    """The same, and without the GPU's UUID."""
    if isinstance(line.get('device'), dict):
        line['device']['uuid'] = ''
    return line


def reduced(line, every_kind=KEPT):
    """The line as it is kept, or None. Speeds are provenance, for which the medians do; fractions
    are judged, with their bounds."""
    if any(kind in line for kind in WHOLE):
        return line
    for kind, keys in every_kind.items():
        if kind in line:
            kept = {key: line[kind][key] for key in keys.split() if key in line[kind]}
            for key in {'gbps', 'us', 'memcpy_gbps'} & kept.keys():
                kept[key] = [[median] for _, median, _ in kept[key]]
            return {kind: kept}
    return None


def text(value):
    """JSON without spaces; a float has five digits."""
    if isinstance(value, dict):
        return '{%s}' % ','.join('%s:%s' % (text(key), text(it)) for key, it in value.items())
    if isinstance(value, list):
        return '[%s]' % ','.join(map(text, value))
    if isinstance(value, float):
        digits = re.sub(r'e\+?(-?)0*', r'e\1', '%.5g' % value)
        return digits if re.search('[.e]', digits) else digits + '.0'
    return json.dumps(value, ensure_ascii=False)


def lines_of(path):
    """The lines of a record."""
    with open(path, encoding='utf-8') as record:
        for number, line in enumerate(record, 1):
            try:
                yield nameless(json.loads(line))
            except ValueError as error:
                print('reduce_record: %s: line %d: %s' % (path, number, error), file=sys.stderr)
                sys.exit(2)


def joined(gates):
    """The first header and device of the gates, and each speed with the repeats of all of them."""
    speeds = {}
    for line in (line for path in gates for line in lines_of(path)):
        kind = next((kind for kind in KEPT_OF_GATES if kind in line), None)
        if 'record' in line:
            speeds.setdefault('record', line)
        elif isinstance(line.get('device'), dict):
            line['device'].pop('kernels', None)
            speeds.setdefault('device', line)
        elif kind:
            kept = reduced(line, KEPT_OF_GATES)[kind]
            which = text({key: kept[key] for key in kept if key not in REPEATS + ['samples', 'verdict']})
            first = speeds.setdefault(kind + which, {kind: kept})[kind]
            for key in REPEATS if first is not kept else []:
                if key in kept:
                    first[key] = first.get(key, []) + kept[key]
    return speeds.values()


def main():
    option = sys.argv[1] if sys.argv[1:] and sys.argv[1].startswith('--') else ''
    if len(sys.argv) < 2 or (len(sys.argv) > 2) != bool(option):
        sys.exit(__doc__)
    if option == '--gates':
        kept = joined(sys.argv[2:])
    elif option == '--example':
        kept = map(example, lines_of(sys.argv[2]))
    else:
        kept = filter(None, map(reduced, lines_of(sys.argv[1])))
    for line in kept:
        if 'end' not in line:
            print(text(line))


if __name__ == '__main__':
    main()
