#!/usr/bin/env python3
"""Makes the record of a bench small enough to be kept in spec/measured.

    tools/reduce_record.py RECORD >FILE

It leaves what floors are made of (conformance/speed/floors_make.c) and what test_aa reads, with
five digits. Exit status 2 and a line on standard error where the record is not JSON.
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


def reduced(line):
    """The line as it is kept, or None. Speeds are provenance, for which the medians do; fractions
    are judged, with their bounds."""
    if any(kind in line for kind in WHOLE):
        return line
    for kind, keys in KEPT.items():
        if kind in line:
            kept = {key: line[kind][key] for key in keys.split() if key in line[kind]}
            for key in {'gbps', 'us'} & kept.keys():
                kept[key] = [{'median': interval['median']} for interval in kept[key]]
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


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding='utf-8') as record:
        for number, line in enumerate(record, 1):
            try:
                kept = reduced(json.loads(line))
            except ValueError as error:
                print('reduce_record: %s: line %d: %s' % (sys.argv[1], number, error), file=sys.stderr)
                sys.exit(2)
            if kept:
                print(text(kept))


main()
