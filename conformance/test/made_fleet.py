#!/usr/bin/env python3
# Clauses: fleet.speed.chance.
"""Makes up the records of a fleet, with machines that differ in known ways.

    made_fleet.py FOLDER MACHINES SEED

FOLDER gets a gate's record for each machine, a copy of one and one that is cut short, without their
ends (build/conformance/record_end FOLDER/*.json writes them, and comes first for the two below), and
the file `expected`, a line for each row that `assay fleet` has to show: its name, its verdict, a word
of what differs. `made_fleet.py FOLDER --spoil` then writes the duplicate and cuts the short one.
`made_fleet.py FOLDER --check REPORT` compares `assay fleet --format json` with `expected`.

The records are two real gates, of an H200 and of an H100 (conformance/fleet/example), as hosts of
eight GPUs, or of seven. Their figures are moved as those of the recorded GPUs (spec/measured) differ:
each GPU has the deviations of a recorded one of its sort, each repeat that of a recorded repeat.
"""

import copy
import glob
import json
import math
import os
import random
import statistics
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FIGURE = {'bench': 'gbps', 'ceiling': 'memcpy_gbps', 'peak': 'gbps', 'latency': 'us'}
KEYS = {'bench': 'kernel path shape regime element_bytes', 'ceiling': 'regime footprint_bytes',
        'peak': 'regime', 'latency': 'call'}
SORTS_FROM = 'bench offset_copy/scalar sass offset=1 dram 4'  # 1.7 % apart
PCI = ['1b', '43', '52', '61', '9d', 'c3', 'd1', 'df']
SEVEN_LACK, LOST = 7, 2  # a slot that hosts of seven never had, and one that lost its GPU


def middle(repeat):
    return repeat[len(repeat) // 2]


def key_of(kind, fields):
    return ' '.join([kind] + [str(fields.get(key)) for key in KEYS[kind].split()])


def figures_of(path):
    """The medians of each figure's repeats, for each GPU of a record."""
    gpus = {}
    with open(path, encoding='utf-8') as record:
        for line in record:
            kind, fields = next(iter(json.loads(line).items()))
            if kind in FIGURE and fields.get(FIGURE[kind]):
                repeats = [middle(repeat) for repeat in fields[FIGURE[kind]]]
                gpus.setdefault(fields['device'], {})[key_of(kind, fields)] = repeats
    return list(gpus.values())


class Noise:
    """What was recorded of one model: the sorts of GPUs, and how the GPUs and repeats of one differ."""

    def __init__(self, pattern):
        gpus = [gpu for path in sorted(glob.glob(os.path.join(ROOT, pattern))) for gpu in figures_of(path)]
        keys = {key for gpu in gpus for key in gpu}
        centre = {key: statistics.median(statistics.median(gpu[key]) for gpu in gpus if key in gpu)
                  for key in keys}
        self.residuals, self.spreads, self.gpus, self.shift = {}, {}, [[], []], [{}, {}]
        for gpu in gpus:
            sort = int(SORTS_FROM in gpu and statistics.median(gpu[SORTS_FROM]) < 0.99 * centre[SORTS_FROM])
            own = {key: math.log(statistics.median(repeats) / centre[key]) for key, repeats in gpu.items()}
            self.gpus[sort].append(own)
            for key, repeats in gpu.items():
                mean = statistics.median(repeats)
                self.residuals.setdefault(key, []).extend(math.log(it / mean) for it in repeats)
        for sort in (0, 1):
            for key in keys:
                values = [gpu[key] for gpu in self.gpus[sort] if key in gpu]
                self.shift[sort][key] = statistics.median(values) if values else 0
            for gpu in self.gpus[sort]:
                for key in gpu:
                    gpu[key] -= self.shift[sort][key]
        self.pooled = {kind: [it for key, values in self.residuals.items() if key.split()[0] == kind
                              for it in values] for kind in FIGURE}

    def gpu(self, draw, sort, kind, key):
        """How far a GPU of that sort is from the model's typical one, without its repeats."""
        donors = [gpu for gpu in self.gpus[sort] if key in gpu] or [gpu for gpu in self.gpus[0] if key in gpu]
        own = draw.choice(donors)[key] if donors else draw.gauss(0, 0.001)
        shift = self.shift[sort].get(key, 0) - self.shift[0].get(key, 0)
        return shift + own + draw.gauss(0, self.spread(kind, key) / 2)

    def spread(self, kind, key):
        if key not in self.spreads:
            self.spreads[key] = statistics.pstdev(self.residuals.get(key) or self.pooled[kind] or [0.001, -0.001])
        return self.spreads[key]

    def repeat(self, draw, kind, key):
        return draw.choice(self.residuals.get(key) or self.pooled[kind] or [0.001, -0.001])


class Template:
    """A gate of one GPU: its lines, and those whose figures differ from GPU to GPU."""

    def __init__(self, name, noise):
        path = os.path.join(ROOT, 'conformance/fleet/example', name + '.json')
        with open(path, encoding='utf-8') as record:
            self.lines = [json.loads(line) for line in record]
        self.lines = [line for line in self.lines if 'end' not in line]
        self.noise = noise
        self.typical = {}
        for line in self.lines:
            kind, fields = next(iter(line.items()))
            if kind in FIGURE:
                self.typical[key_of(kind, fields)] = statistics.median(map(middle, fields[FIGURE[kind]]))


def is_memory_bound(kind, fields):
    """Its speed is that of DRAM: a slower DRAM slows it as much."""
    return (kind in ('ceiling', 'peak') or kind == 'bench') and fields.get('regime') == 'dram' and (
        middle(fields[FIGURE[kind]][0]) > 2000 or fields.get('kernel', '').startswith('strided_copy'))


def move(draw, template, line, gpu, faults):
    """The figures of a line as those of that GPU."""
    kind, fields = next(iter(line.items()))
    key = key_of(kind, fields)
    shift = gpu['shift'].setdefault(key, template.noise.gpu(draw, gpu['sort'], kind, key))
    if kind == 'latency':
        shift = gpu['calls'] + draw.gauss(0, 0.02)
    if 'slow' in faults and is_memory_bound(kind, fields):
        shift += math.log(0.97)
    if 'locked' in faults:
        fields['sensors'] = dict(fields.get('sensors', {}), sm_mhz=1200)
        if fields.get('regime') == 'l2' or (kind == 'bench' and not is_memory_bound(kind, fields)):
            shift += math.log(0.75)
    moved = []
    for repeat in fields[FIGURE[kind]]:
        wanted = template.typical[key] * math.exp(shift + template.noise.repeat(draw, kind, key))
        factor = wanted / middle(repeat)
        moved.append([float('%.6g' % (value * factor)) for value in repeat])
    fields[FIGURE[kind]] = moved


def text(line):
    return json.dumps(line, separators=(',', ':')) + '\n'


def new_driver(line):
    """Another driver, whose compiler makes other machine code of PTX."""
    kind, fields = next(iter(line.items()))
    if kind == 'record':
        for field in list(line):
            if isinstance(line[field], str):
                line[field] = line[field].replace('580.159.04', '570.133.20')
    elif kind == 'device':
        fields.update(driver='570.133.20', cuda='12.8')
    elif kind == 'codegen' and fields['path'].startswith('ptx'):
        fields.update(registers=fields['registers'] + 2)


def wrong_bits(line, part):
    """Three checks of a kernel fail, and so do its part and the gate."""
    kind, fields = next(iter(line.items()))
    if kind == 'bits' and fields['kernel'] == 'matmul/tiled' and fields['path'] == 'sass':
        fields.update(verdict='FAIL', passed=fields['passed'] - 3, fail=3, xxh3_128=fields['xxh3_128'][::-1])
    elif (kind == 'summary' and part == 'bits') or kind == 'gate':
        fields.update(verdict='FAIL', exit_status=1, reason='3 failed')
    if kind == 'gate':
        fields['parts'][0].update(verdict='FAIL', note='3 checks failed')


def machine_lines(draw, template, machine):
    """The record of a machine: the lines of the template for each of its GPUs."""
    part = None
    gpus = machine['gpus']
    labels = ['cuda:%d' % index for index in range(len(gpus))]
    for original in template.lines:
        kind = next(iter(original))
        if kind == 'record':
            part = original['part']
            line = dict(original, devices=labels, host=machine['name'], machine=machine['id'],
                        booted='2026-11-20T08:00:00Z', devices_chosen='%d GPUs, all that the driver shows' % len(gpus))
            line['environment'] = [it for it in line['environment'] if not it.startswith('NVIDIA_VIS')]
            if 'driver' in machine['faults']:
                new_driver(line)
            yield text(line)
            continue
        if not isinstance(original[kind], dict) or not (original[kind].get('device') or kind == 'device'):
            line = copy.deepcopy(original)
            if any('wrong' in gpu['faults'] for gpu in gpus):
                wrong_bits(line, part)
            yield text(line)
            continue
        for label, gpu in zip(labels, gpus):
            faults = gpu['faults'] | machine['faults']
            plain = kind not in FIGURE and kind != 'device' and kind != 'coverage' and not faults
            cached = template.plain.get((id(original), label)) if plain else None
            if cached:
                yield cached
                continue
            fields = dict(original[kind])
            line = {kind: fields}
            if kind == 'device':
                fields.update(label=label, uuid=gpu['uuid'], pci=gpu['pci'], serial=gpu['uuid'][4:12])
            else:
                fields['device'] = label
            if label != 'cuda:0':
                fields.pop('ranges', None)
            if kind == 'coverage':
                fields['touched_bytes'] = draw.randrange(680, 740) << 20
            if kind in FIGURE:
                move(draw, template, line, gpu, faults)
            if 'driver' in faults:
                new_driver(line)
            if 'wrong' in faults:
                wrong_bits(line, part)
            made = text(line)
            if plain:
                template.plain[(id(original), label)] = made
            yield made


def make(folder, count, seed):
    draw = random.Random(seed)
    templates = [Template('h200', Noise('spec/measured/h200-*.json')),
                 Template('h100', Noise('spec/measured/h100-*.json'))]
    for template in templates:
        template.plain = {}
    # Hosts of recorded machines differ this much in the time of their calls.
    hosts = [-0.30, -0.16, 0, 0, 0.05, 0.10, 0.12]
    machines = []
    for number in range(count):
        model = int(number % 5 == 4)
        seven = model == 0 and number % 5 == 1
        sort = int(model == 0 and draw.random() < 0.35)
        calls = draw.choice(hosts) + draw.gauss(0, 0.03)
        machine = {'name': 'node%04d' % number, 'id': '%032x' % draw.getrandbits(128), 'model': model,
                   'seven': seven, 'faults': set(), 'gpus': []}
        for slot, address in enumerate(PCI):
            if seven and slot == SEVEN_LACK:
                continue
            bits = '%032x' % draw.getrandbits(128)
            uuid = 'GPU-%s-%s-%s-%s-%s' % (bits[:8], bits[8:12], bits[12:16], bits[16:20], bits[20:])
            machine['gpus'].append({'uuid': uuid, 'pci': '00000000:%s:00.0' % address, 'sort': sort,
                                    'calls': calls, 'shift': {}, 'faults': set()})
        machines.append(machine)
    expected = []
    eights = [machine for machine in machines if not machine['seven']]
    chosen = draw.sample(eights, 14)
    for machine in chosen[:3]:
        draw.choice(machine['gpus'])['faults'].add('slow')
        expected.append((machine['name'], 'REGRESSED', 'DRAM'))
    draw.choice(chosen[3]['gpus'])['faults'].add('wrong')
    expected.append((chosen[3]['name'], 'FAIL', 'matmul/tiled'))
    for machine in chosen[4:6]:
        del machine['gpus'][LOST]
        expected.append((machine['name'], 'REGRESSED', PCI[LOST]))
    for machine in chosen[6:11]:
        machine['faults'].add('driver')
        expected.append((machine['name'], 'DIFFERS', '570.133.20'))
    chosen[11]['faults'].add('locked')
    expected.append((chosen[11]['name'], 'REGRESSED', '1200 MHz'))
    expected.append((os.path.join(folder, 'twice.json'), 'DIFFERS', chosen[12]['name']))
    expected.append((os.path.join(folder, chosen[13]['name'] + '.json'), 'INCONCLUSIVE', 'cut short'))
    os.makedirs(folder, exist_ok=True)
    for machine in machines:
        with open(os.path.join(folder, machine['name'] + '.json'), 'w', encoding='ascii') as record:
            record.writelines(machine_lines(draw, templates[machine['model']], machine))
    with open(os.path.join(folder, 'expected'), 'w', encoding='ascii') as file:
        file.writelines('\t'.join(row) + '\n' for row in expected)


def rows_of(folder):
    with open(os.path.join(folder, 'expected'), encoding='ascii') as file:
        return [line.rstrip('\n').split('\t') for line in file]


def spoil(folder):
    for name, _, word in rows_of(folder):
        if name.endswith('twice.json'):
            with open(os.path.join(folder, word + '.json'), 'rb') as one, open(name, 'wb') as other:
                other.write(one.read())
        elif name.endswith('.json'):
            with open(name, 'rb+') as record:
                record.truncate(os.path.getsize(name) * 2 // 3)


def check(folder, report):
    """0 if every expected row is there with its verdict and word, and no other; else says which."""
    with open(report, encoding='utf-8') as file:
        shown = {row['name']: row for row in json.load(file)['rows']}
    wrong = 0
    for name, verdict, word in rows_of(folder):
        row = shown.pop(name, None)
        if row is None or row['verdict'] != verdict or word not in json.dumps(row):
            print('%s should be %s for %s: %s' % (name, verdict, word, json.dumps(row)))
            wrong += 1
    for row in shown.values():
        print('nothing is wrong with %s' % json.dumps(row))
    return 1 if wrong or shown else 0


if __name__ == '__main__':
    if len(sys.argv) == 3 and sys.argv[2] == '--spoil':
        spoil(sys.argv[1])
    elif len(sys.argv) == 4 and sys.argv[2] == '--check':
        sys.exit(check(sys.argv[1], sys.argv[3]))
    elif len(sys.argv) == 4:
        make(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
    else:
        sys.exit(__doc__)
