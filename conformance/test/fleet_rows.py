#!/usr/bin/env python3
# `assay fleet` on small fleets that are made up of a real gate: what each of them shows, and nothing else.
# Clauses: fleet.input.folder, fleet.input.list, fleet.input.unread, fleet.input.cut, fleet.input.duplicate,
# fleet.input.older, fleet.input.base, fleet.machine.joined, fleet.base.model, fleet.rest.most, fleet.rest.group, fleet.rest.two,
# fleet.rest.base, fleet.base.own, fleet.base.lacks, fleet.bits.plan, fleet.bits.outlier, fleet.environment.fields, fleet.environment.less,
# fleet.gpus.missing, fleet.gpus.sorts, fleet.gpus.base, fleet.cause.once, fleet.verdict.worst,
# fleet.verdict.record, fleet.speed.sorts, fleet.speed.limit, fleet.speed.together, fleet.speed.few,
# fleet.speed.call, fleet.speed.disturbed, fleet.exit.status, fleet.output.order, fleet.output.rest,
# fleet.output.json, fleet.output.markdown, fleet.output.alike, fleet.output.whole, fleet.page.map, fleet.page.phone, fleet.page.folded.
#     fleet_rows.py ASSAY RECORD_END EXAMPLE
import copy
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import xml.dom.minidom

ASSAY, RECORD_END, EXAMPLE = sys.argv[1:4]
# Enough lines of each kind for a test of it; all of the figures.
MOST = {'bits': 4, 'codegen': 6, 'known': 3, 'finding': 0, 'gaps': 0}
FIGURE = {'bench': 'gbps', 'ceiling': 'memcpy_gbps', 'peak': 'gbps', 'latency': 'us'}
SLOTS = ['1b', '43', '52', '61']
# Figures in which two sorts of a board differ, in percent.
SORT = {'offset_copy/scalar': -1.8, 'adjacent_difference/shared': -2.2, 'strided_copy/scalar': 0.8}


def short(path):
    counts, kept = {}, []
    with open(path, encoding='ascii') as record:
        for line in map(json.loads, record):
            kind = next(iter(line))
            counts[kind] = counts.get(kind, 0) + 1
            if kind != 'end' and counts[kind] <= MOST.get(kind, 1000):
                line.pop('kernels', None)
                kept.append(line)
    return kept


TEMPLATE = short(EXAMPLE)


def machine(name, gpus=1, change=None, draw=None, slots=None, ident=None):
    """The lines of a record. `change` gets each line with the number of its GPU, or None."""
    draw = draw or random.Random(name)
    labels = ['cuda:%d' % gpu for gpu in range(gpus)]
    lines = []
    for original in TEMPLATE:
        kind = next(iter(original))
        fields = original[kind]
        of_device = isinstance(fields, dict) and ('device' in fields or kind == 'device')
        for gpu, label in enumerate(labels if of_device else [None]):
            line = copy.deepcopy(original)
            fields = line[kind]
            if kind == 'record':
                line.update(devices=labels, host=name, booted='2026-11-20T08:00:00Z',
                            machine='%032x' % random.Random(ident or name).getrandbits(128))
            elif kind == 'device':
                fields.update(label=label, uuid='GPU-%s-%d' % (ident or name, gpu),
                              pci='00000000:%s:00.0' % (slots or SLOTS)[gpu])
            elif of_device:
                fields['device'] = label
            if kind in FIGURE:
                noise = draw.gauss(0, 0.03 if kind == 'latency' else 0.0015)
                move(line, noise)
            if change:
                change(line, gpu if of_device else None)
            lines.append(line)
    return lines


def move(line, shift):
    kind = next(iter(line))
    for repeat in line[kind][FIGURE[kind]]:
        repeat[:] = [float('%.6g' % (value * math.exp(shift))) for value in repeat]


def setting(where, **fields):
    """Sets fields of each line of that kind, of the GPU 0 or of none."""
    def change(line, gpu):
        if where in line and not gpu:
            (line if where == 'record' else line[where]).update(fields)
    return change


def slower(percent, match=lambda line: True, kinds=('bench', 'ceiling', 'peak'), gpus=(0,)):
    def change(line, gpu):
        kind = next(iter(line))
        if kind in kinds and gpu in gpus and match(line[kind]):
            move(line, math.log(1 - percent / 100) if kind != 'latency' else math.log(1 + percent / 100))
    return change


def in_dram(fields):
    return fields.get('regime') == 'dram'


def is_tiled(line):
    return 'bench' in line and line['bench']['kernel'] == 'matmul/tiled'


def of_sort(line, gpu):
    kind = next(iter(line))
    if kind == 'bench' and line[kind]['kernel'] in SORT and gpu is not None:
        move(line, SORT[line[kind]['kernel']] / 100)


def both(*changes):
    def change(line, gpu):
        for each in changes:
            each(line, gpu)
    return change


def new_driver(line, gpu):
    if 'device' in line:
        line['device']['driver'] = '570.133.20'
    if 'codegen' in line:
        line['codegen']['registers'] += 2


def other_bits(line, gpu):
    if 'bits' in line and gpu == 0:
        line['bits']['xxh3_128'] = line['bits']['xxh3_128'][::-1]


def failed(line, gpu):
    if 'summary' in line or 'gate' in line:
        line[next(iter(line))].update(verdict='FAIL', reason='3 checks failed', exit_status=1)
    if 'gate' in line:
        line['gate']['parts'][0].update(verdict='FAIL')


def undecided(line, gpu):
    if 'gate' in line:
        line['gate'].update(verdict='INCONCLUSIVE', reason='fewer than the 8 GPUs expected')


def disturbed(line, gpu):
    if 'bench' in line and gpu == 0:
        line['bench']['sensors'].update(other_processes=1)


class Fleet:
    """A folder of records."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(dir=SCRATCH)
        self.files = []

    def add(self, lines, name=None):
        path = os.path.join(self.folder, name or '%s.json' % lines[0]['host'])
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='ascii') as record:
            record.writelines(json.dumps(line, separators=(',', ':')) + '\n' for line in lines)
        self.files.append(path)
        return path

    def alike(self, count, **more):
        for number in range(count):
            self.add(machine('node%02d' % number, **more))
        return self

    def ended(self):
        if self.files:
            subprocess.run([RECORD_END] + self.files, check=True)
        self.files = []
        return self

    def run(self, *words, form='json'):
        self.ended()
        ran = subprocess.run([ASSAY, 'fleet', '--format', form] + list(words or [self.folder]),
                             capture_output=True, text=True)
        self.status, self.errors, self.out = ran.returncode, ran.stderr, ran.stdout
        self.report = json.loads(ran.stdout) if form == 'json' and ran.stdout else {}
        return self

    def rows(self):
        return {os.path.basename(row['name']): (row['verdict'], row) for row in self.report['rows']}


def expect(fleet, status, **wanted):
    """Each wanted row is there with its verdict, and each of its words in it; no other is."""
    rows = fleet.rows()
    assert fleet.status == status, 'status %d, not %d: %s%s' % (fleet.status, status, fleet.errors, list(rows))
    names = {name.replace('.', '_').replace('-', '_'): name for name in rows}
    assert set(names) == set(wanted), 'rows %s, not %s' % (sorted(names), sorted(wanted))
    for key, (verdict, *words) in wanted.items():
        own, row = rows[names[key]]
        assert own == verdict, '%s is %s, not %s: %s' % (key, own, verdict, json.dumps(row))
        for word in words:
            assert word in json.dumps(row), '%s lacks %r: %s' % (key, word, json.dumps(row))


def alike_machines_are_the_same():
    fleet = Fleet().alike(6).run()
    expect(fleet, 0)
    assert fleet.report['counts']['SAME'] == 6 and fleet.report['gpus'] == 6
    assert fleet.report['models'] == [{'model': 'NVIDIA H200', 'gpus': 6}]


def another_driver_is_one_cause():
    fleet = Fleet().alike(5)
    fleet.add(machine('odd', change=new_driver))
    expect(fleet.run(), 3, odd=('DIFFERS', '570.133.20', '6 functions differ, which follows'))


def another_field_is_named():
    fleet = Fleet().alike(5)
    fleet.add(machine('odd', change=both(setting('record', os='Linux 5.4'),
                                         setting('device', vbios='96.00.00'))))
    expect(fleet.run(), 3, odd=('DIFFERS', 'os Linux 5.4', 'vbios 96.00.00'))


def less_of_a_gpu_is_worse_than_more():
    fleet = Fleet().alike(5)
    fleet.add(machine('ecc', change=setting('device', ecc='off')))
    fleet.add(machine('watts', change=setting('device', power_limit_w=350.0)))
    fleet.add(machine('more', change=setting('device', power_limit_w=900.0)))
    fleet.add(machine('near', change=setting('device', memory_bytes=150109880320 - (1 << 24))))
    expect(fleet.run(), 1, ecc=('REGRESSED', 'ecc off'), watts=('INCONCLUSIVE', 'power limit w 350'),
           more=('DIFFERS', 'power limit w 900'))


def locked_clocks_are_named():
    fleet = Fleet().alike(5)

    def locked(line, gpu):
        kind = next(iter(line))
        if kind in FIGURE and 'sensors' in line[kind]:
            line[kind]['sensors']['sm_mhz'] = 1200
    fleet.add(machine('odd', change=locked))
    expect(fleet.run(), 1, odd=('REGRESSED', 'SM clock under load 1200 MHz'))


def other_bits_are_worse():
    fleet = Fleet().alike(5)
    fleet.add(machine('odd', change=other_bits))
    expect(fleet.run(), 1, odd=('REGRESSED', 'different bits for the same cases'))


def a_group_has_no_other_bits():
    fleet = Fleet().alike(12)
    for number in range(5):
        fleet.add(machine('odd%d' % number, change=other_bits))
    expect(fleet.run(), 1, **{'odd%d' % number: ('REGRESSED', 'different bits') for number in range(5)})


def of_two_none_is_the_rest():
    fleet = Fleet().alike(1)
    fleet.add(machine('odd', change=other_bits))
    expect(fleet.run(), 3, node00=('INCONCLUSIVE', 'different bits'), odd=('INCONCLUSIVE', 'different bits'))


def a_group_is_no_outlier():
    fleet = Fleet().alike(12)
    for number in range(4):
        fleet.add(machine('other%d' % number, change=setting('device', driver='570.133.20')))
    expect(fleet.run(), 0)
    groups = [(it['value'], it['count']) for it in fleet.report['groups'] if it['place'] == 'driver']
    assert sorted(groups) == [('570.133.20', 4), ('580.159.04', 12)], groups


def less_than_one_in_ten_are_no_group():
    fleet = Fleet().alike(40)
    others = ['other%d' % number for number in range(4)]
    for name in others:
        fleet.add(machine(name, change=setting('device', driver='570.133.20')))
    expect(fleet.run(), 3, **{name: ('DIFFERS', '570.133.20') for name in others})


def other_cases_are_not_compared():
    fleet = Fleet().alike(5)
    fleet.add(machine('odd', change=both(other_bits, setting('record', seed='0x0000000000000009'))))
    expect(fleet.run(), 3, odd=('INCONCLUSIVE', 'other cases'))
    assert 'different bits' not in fleet.out


def a_shard_has_other_cases_and_a_job_is_no_environment():
    fleet = Fleet().alike(5, change=setting('record', job='7'))
    fleet.add(machine('other', change=setting('record', job='8')))
    expect(fleet.run(), 0)
    fleet = Fleet()
    for number in range(6):
        change = setting('record', shard=number + 1, shards=6)
        fleet.add(machine('node%d' % number, change=both(change, other_bits) if number == 3 else change))
    expect(fleet.run(), 0)


def a_field_of_each_host_is_no_finding():
    fleet = Fleet()
    for number in range(6):
        fleet.add(machine('node%d' % number, change=setting('record', cpu='CPU %d' % number)))
    expect(fleet.run(), 0)


def models_are_compared_apart():
    fleet = Fleet().alike(4)
    for number in range(4):
        fleet.add(machine('h100%d' % number, change=both(slower(30), setting('device', name='NVIDIA H100'))))
    fleet.add(machine('odd', change=both(other_bits, setting('device', name='NVIDIA H100'))))
    expect(fleet.run(), 1, odd=('REGRESSED', 'different bits'))


def what_cannot_be_read_is_a_row():
    fleet = Fleet().alike(4)
    fleet.add(machine('damaged'))
    fleet.add(machine('version', change=setting('record', version=2)))
    fleet.ended()
    with open(os.path.join(fleet.folder, 'damaged.json'), 'r+', encoding='ascii') as record:
        text = record.read()
        record.seek(text.index('"passed":') + 9)
        record.write('9')
    with open(os.path.join(fleet.folder, 'text.json'), 'w', encoding='ascii') as text:
        text.write('hello\n')
    absent = os.path.join(fleet.folder, 'absent.json')
    expect(fleet.run(fleet.folder, absent), 3, damaged_json=('INCONCLUSIVE', 'damaged'),
           version_json=('INCONCLUSIVE', 'a record of version 2'), text_json=('INCONCLUSIVE', 'not an assay record'),
           absent_json=('INCONCLUSIVE', 'cannot be read'))
    assert fleet.report['counts']['SAME'] == 4


def what_was_cut_short_is_a_row():
    fleet = Fleet().alike(4)
    fleet.add([line for line in machine('verdict') if 'gate' not in line])
    cut = fleet.add(machine('cut'))
    fleet.ended()
    with open(cut, 'rb+') as record:
        record.truncate(os.path.getsize(cut) // 2)
    expect(fleet.run(), 3, cut_json=('INCONCLUSIVE', 'cut short'), verdict_json=('INCONCLUSIVE', 'cut short'))


def a_file_counts_once():
    fleet = Fleet().alike(4)
    with open(fleet.ended().folder + '/node01.json', 'rb') as one, open(fleet.folder + '/twice.json', 'wb') as other:
        other.write(one.read())
    expect(fleet.run(), 3, twice_json=('DIFFERS', 'the same bytes as', 'node01.json'))
    assert fleet.report['counts']['SAME'] == 4


def the_latest_record_counts():
    fleet = Fleet().alike(4)
    fleet.add(machine('node02', change=both(other_bits, setting('record', started='2025-01-01T00:00:00Z'))),
              'before.json')
    expect(fleet.run(), 3, before_json=('DIFFERS', 'older than', 'node02.json'))


def records_of_one_machine_are_joined():
    fleet = Fleet().alike(4, gpus=2)
    for gpu in range(2):
        def own(line, at, gpu=gpu):
            if 'device' in line:
                line['device'].update(label='cuda:%d' % gpu, uuid='GPU-%d' % gpu, pci='00000000:%s:00.0' % SLOTS[gpu])
            elif at is not None:
                line[next(iter(line))]['device'] = 'cuda:%d' % gpu
            elif 'record' in line:
                line.pop('machine')
                line.update(devices=['cuda:%d' % gpu], booted='2026-11-20T08:00:0%dZ' % gpu)
        fleet.add(machine('split', change=own), 'gpu%d.json' % gpu)
    expect(fleet.run(), 0)
    assert fleet.report['machines'] == 5 and fleet.report['gpus'] == 10, fleet.out


def a_missing_gpu_is_named():
    fleet = Fleet().alike(12, gpus=4)
    fleet.add(machine('odd', gpus=3, slots=['1b', '43', '61']))
    expect(fleet.run(), 1, odd=('REGRESSED', 'GPU missing', '00000000:52:00.0'))


def hosts_that_lack_the_same_are_a_sort():
    fleet = Fleet().alike(12, gpus=4)
    for number in range(4):
        fleet.add(machine('three%d' % number, gpus=3))
    fleet.add(machine('odd', gpus=3, slots=['1b', '43', '61']))
    expect(fleet.run(), 1, odd=('REGRESSED', '00000000:52:00.0'))


def another_kind_of_host_lacks_no_address():
    fleet = Fleet().alike(12, gpus=4)
    fleet.add(machine('odd', gpus=3, slots=['1b', '43', 'aa']))
    expect(fleet.run(), 1, odd=('REGRESSED', 'fewer GPUs than its siblings'))
    assert '00000000:52' not in fleet.out


def fewer_gpus_without_addresses_are_named():
    def bare(line, gpu):
        if 'device' in line:
            line['device'].pop('pci')
    fleet = Fleet().alike(6, gpus=3, change=bare)
    fleet.add(machine('odd', gpus=2, change=bare))
    expect(fleet.run(), 1, odd=('REGRESSED', 'fewer GPUs', '3 GPUs on 6 machines'))


def a_base_decides():
    base = Fleet()
    base.add(machine('node00', gpus=2))
    base.ended()
    fleet = Fleet()
    for number in range(3):
        fleet.add(machine('node%02d' % number, gpus=2, change=setting('device', driver='600.1')))
    rows = {'node%02d' % number: ('DIFFERS', 'driver 600.1', '580.159.04') for number in range(3)}
    expect(fleet.run('--baseline', base.folder, fleet.folder), 3, **rows)
    fleet = Fleet()
    fleet.add(machine('node00', gpus=1))
    expect(fleet.run('--baseline', base.folder, fleet.folder), 1, node00=('REGRESSED', 'GPU missing', 'GPU-node00-1'))
    assert fleet.report['base'] == '1 machine of --baseline', fleet.report['base']


def a_base_of_two_has_two_values():
    base = Fleet().alike(1)
    base.add(machine('new', change=setting('device', driver='600.1')))
    base.ended()
    fleet = Fleet().alike(2)
    fleet.add(machine('odd', change=setting('device', driver='570.1')))
    fleet.add(machine('newer', change=setting('device', driver='600.1')))
    expect(fleet.run('--baseline', base.folder, fleet.folder), 3, odd=('DIFFERS', 'driver 570.1'))


def a_base_is_whole():
    fleet = Fleet().alike(2)
    cut = fleet.add([line for line in machine('cut') if 'gate' not in line], 'base/cut')
    fleet.ended()
    for base, why in ((cut, 'cut short'), (fleet.folder + '/none.json', 'cannot be read')):
        fleet.run('--baseline', base, fleet.folder)
        assert fleet.status == 2 and why in fleet.errors and fleet.errors.count('\n') == 1, fleet.errors


def a_base_finds_a_slow_fleet():
    base = Fleet().alike(3).ended()
    fleet = Fleet()
    for number in range(3):
        fleet.add(machine('node%02d' % number, change=slower(4, in_dram)))
    rows = {'node%02d' % number: ('REGRESSED', 'DRAM') for number in range(3)}
    expect(fleet.run('--baseline', base.folder, fleet.folder), 1, **rows)


def a_gpu_is_compared_with_its_own_record():
    """GPU 0 of each host: slow before and after; slower than before, within the base's band; as fast as it was slow."""
    slow, fast = slower(2.9, in_dram), slower(-1.5, in_dram)
    base = Fleet().alike(5)
    base.add(machine('slow', change=slow))
    base.add(machine('fast', change=fast))
    base.ended()
    fleet = Fleet().alike(5)
    fleet.add(machine('slow', change=slow))
    expect(fleet.run('--baseline', base.folder, fleet.folder), 0)
    fleet.add(machine('fast', change=slower(1.5, in_dram)))
    expect(fleet.run('--baseline', base.folder, fleet.folder), 1,
           fast=('REGRESSED', 'DRAM: -3', 'before: its own record'))
    fleet.add(machine('new', change=slow))
    fleet.add(machine('fast', change=fast))
    expect(fleet.run('--baseline', base.folder, fleet.folder), 1, new=('REGRESSED', 'DRAM: -2.9'))


def one_figure_is_compared_with_its_own():
    def tiled(fields):
        return fields.get('kernel') == 'matmul/tiled'
    base = Fleet().alike(5)
    base.add(machine('slow', change=slower(9, tiled)))
    base.add(machine('fast', change=slower(-2, tiled)))
    base.ended()
    fleet = Fleet().alike(5)
    fleet.add(machine('slow', change=slower(9, tiled)))
    fleet.add(machine('fast', change=slower(2, tiled)))
    expect(fleet.run('--baseline', base.folder, fleet.folder), 1,
           fast=('REGRESSED', 'matmul/tiled', '(-3.9 %)', 'in its own record'))
    # Not from a measurement that was disturbed: then the base's median counts.
    base.add(machine('slow', change=both(slower(9, tiled), disturbed)))
    base.ended()
    expect(fleet.run('--baseline', base.folder, fleet.folder), 1, slow=('REGRESSED', 'matmul/tiled'),
           fast=('REGRESSED', 'matmul/tiled'))


def a_scattered_record_shows_less():
    """A loss within the scatter of a GPU's own repeats, which differ by 3 % from each other, is none."""
    def scattered(line, gpu):
        if is_tiled(line):
            for repeat, shift in zip(line['bench']['gbps'], (-0.03, 0, 0.03)):
                repeat[:] = [value * math.exp(shift) for value in repeat]
    base = Fleet().alike(2)
    base.add(machine('odd', change=scattered))
    base.ended()
    fleet = Fleet()
    fleet.add(machine('odd', change=slower(4, lambda fields: fields.get('kernel') == 'matmul/tiled')))
    expect(fleet.run('--baseline', base.folder, fleet.folder), 0)


def a_gpu_is_checked_as_in_its_own_record():
    """A measurement that its own record alone has."""
    def without(lines):
        return [line for line in lines if not is_tiled(line)]
    base = Fleet()
    for number in range(4):
        base.add(without(machine('node%02d' % number)))
    base.add(machine('more'))
    base.ended()
    fleet = Fleet()
    fleet.add(without(machine('node00')))
    fleet.add(without(machine('more')))
    expect(fleet.run('--baseline', base.folder, fleet.folder), 3, more=('INCONCLUSIVE', 'not checked', 'matmul/tiled'))


def a_base_lacks_a_model():
    """What is compared with nothing is not the SAME, and nothing of it is compared with its siblings."""
    base = Fleet().alike(2, change=setting('device', name='NVIDIA H100'))
    base.ended()
    fleet = Fleet()
    fleet.add(machine('node00'))
    fleet.add(machine('node01', change=setting('device', vbios='96.00.00')))
    row = ('INCONCLUSIVE', 'no GPU of this model in the base', 'NVIDIA H200')
    expect(fleet.run('--baseline', base.folder, fleet.folder), 3, node00=row, node01=row)
    assert '96.00.00' not in fleet.out, fleet.out


def a_base_of_one_gpu_has_speeds():
    base = Fleet().alike(1).ended()
    fleet = Fleet().alike(1)
    fleet.add(machine('near', change=slower(2.3, in_dram)))
    fleet.add(machine('slow', change=slower(8, in_dram)))
    expect(fleet.run('--baseline', base.folder, fleet.folder), 1, slow=('REGRESSED', 'DRAM: -8.0 %'))


def a_record_has_its_own_verdict():
    fleet = Fleet().alike(4)
    fleet.add(machine('fails', change=failed))
    fleet.add(machine('open', change=undecided))
    expect(fleet.run(), 1, fails=('FAIL', '3 checks failed'), open=('INCONCLUSIVE', 'fewer than the 8'))
    assert fleet.report['verdict'] == 'FAIL'


def few_gpus_are_judged_by_the_recorded():
    fleet = Fleet().alike(5)
    fleet.add(machine('odd', change=slower(4, in_dram)))
    fleet.add(machine('near', change=slower(1, in_dram)))
    expect(fleet.run(), 1, odd=('REGRESSED', 'DRAM'))
    fleet = Fleet().alike(5)
    fleet.add(machine('one', change=slower(9, lambda it: it.get('kernel') == 'offset_copy/scalar')))
    expect(fleet.run(), 1, one=('REGRESSED', 'offset_copy/scalar'))


def many_gpus_have_their_own_spread():
    fleet = Fleet().alike(15, gpus=4)
    fleet.add(machine('odd', gpus=4, change=slower(2.5, in_dram)))
    fleet.add(machine('single', gpus=4, change=slower(4, lambda it: it.get('kernel') == 'offset_copy/scalar')))
    fleet.add(machine('near', gpus=4, change=slower(0.3, in_dram)))
    expect(fleet.run(), 1, odd=('REGRESSED', 'DRAM', 'cuda:0'), single=('REGRESSED', 'offset_copy/scalar'))
    dram = [it for it in fleet.rows()['odd'][1]['differences'] if it['section'] == 'speed']
    assert len(dram) == 1 and dram[0]['places'] == 1, dram
    assert 0.01 < fleet.report['speeds']['finds']['DRAM'] < 0.025, fleet.report['speeds']
    assert fleet.report['speeds']['false_alarms'] == 0.01


def sorts_of_boards_are_no_outliers():
    fleet = Fleet().alike(9, gpus=4)
    for number in range(6):
        fleet.add(machine('sort%d' % number, gpus=4, change=of_sort))
    fleet.add(machine('odd', gpus=4, change=both(of_sort, slower(3, in_dram))))
    expect(fleet.run(), 1, odd=('REGRESSED', 'DRAM'))
    sorts = [it['gpus'] for it in fleet.report['sorts']]
    assert sorts == [36, 28], fleet.report['sorts']


def one_figure_makes_no_sort():
    fleet = Fleet().alike(9, gpus=4)
    one = both(slower(1.8, lambda it: it.get('kernel') == 'offset_copy/scalar', gpus=range(4)))
    for number in range(6):
        fleet.add(machine('other%d' % number, gpus=4, change=one))
    expect(fleet.run(), 0)
    assert fleet.report['sorts'] == [], fleet.report['sorts']


def three_slow_gpus_are_no_sort():
    fleet = Fleet().alike(12, gpus=4)
    for number in range(3):
        fleet.add(machine('odd%d' % number, gpus=4, change=of_sort))
    expect(fleet.run(), 1, **{'odd%d' % number: ('REGRESSED', 'adjacent_difference/shared') for number in range(3)})


def a_call_is_one_of_the_host():
    def of(gpus):
        return slower(500, kinds=('latency',), gpus=gpus)
    fleet = Fleet().alike(9, gpus=4)
    fleet.add(machine('one', gpus=4, change=of((0,))))
    fleet.add(machine('all', gpus=4, change=of(range(4))))
    expect(fleet.run(), 1, all=('REGRESSED', 'takes longer', 'all 4 GPUs'))


def a_disturbed_figure_is_inconclusive():
    fleet = Fleet().alike(9, gpus=4)
    odd = both(disturbed, slower(9, lambda it: it.get('kernel') == 'offset_copy/scalar'))
    fleet.add(machine('odd', gpus=4, change=odd))
    expect(fleet.run(), 3, odd=('INCONCLUSIVE', 'slower, but disturbed'))


def a_failure_on_a_set_of_gpus_is_seen():
    fleet = Fleet().alike(5)
    lines = machine('odd')
    at = next(index for index, line in enumerate(lines) if 'bits' in line)
    lines.insert(at, {'bits': dict(lines[at]['bits'], device='cuda:0+1', verdict='FAIL')})
    fleet.add(lines)
    expect(fleet.run(), 1, odd=('FAIL', 'a line of it fails'))


def what_the_rest_has_must_be_checked():
    fleet = Fleet().alike(5)
    fleet.add([line for line in machine('odd') if 'known' not in line and 'peak' not in line])
    expect(fleet.run(), 3, odd=('INCONCLUSIVE', 'not checked', '5 '))


def folders_and_lists_are_read():
    fleet = Fleet().alike(2)
    fleet.add(machine('deep'), 'a/b/deep.jsonl')
    fleet.add(machine('hidden'), '.copy/hidden.json')
    fleet.add(machine('other'), 'other.txt')
    fleet.ended()
    assert fleet.run().report['machines'] == 3
    names = os.path.join(SCRATCH, 'names')
    with open(names, 'w', encoding='ascii') as file:
        file.write('%s/a\n\n%s/other.txt\n' % (fleet.folder, fleet.folder))
    assert fleet.run('@' + names).report['machines'] == 2
    empty = tempfile.mkdtemp(dir=SCRATCH)
    for word, why in ((empty, 'has no files'), ('@' + empty + '/none', 'cannot be read')):
        fleet.run(word)
        assert fleet.status == 2 and why in fleet.errors and fleet.errors.count('\n') == 1, fleet.errors


def a_thousand_words_are_read():
    fleet = Fleet().alike(2).ended()
    words = [os.path.join(fleet.folder, 'node00.json')] * 1000
    expect(fleet.run(*words), 3, **{'node00_json': ('DIFFERS', 'the same bytes')})
    assert fleet.report['machines'] == 1


def the_output_is_whole_and_none_of_the_input():
    fleet = Fleet().alike(3).ended()
    own = os.path.join(fleet.folder, 'node00.json')
    fleet.run('-o', own, fleet.folder)
    assert fleet.status == 2 and os.path.getsize(own) > 1000
    fleet.run('-o', os.path.join(SCRATCH, 'out'), fleet.folder)
    with open(os.path.join(SCRATCH, 'out'), encoding='ascii') as out:
        assert fleet.status == 0 and fleet.out == '' and json.load(out)['machines'] == 3
    ran = subprocess.run('"%s" fleet "%s" >/dev/full' % (ASSAY, fleet.folder), shell=True, capture_output=True)
    assert ran.returncode == 99, ran


def text_has_outliers_first():
    fleet = Fleet().alike(6)
    fleet.add(machine('a', change=new_driver))
    fleet.add(machine('z', change=failed))
    fleet.run(form='text')
    lines = fleet.out.split('\n')
    assert [line for line in lines if line.startswith(('a ', 'z '))][0].startswith('z '), fleet.out
    assert max(map(len, lines)) <= 80 or all('/' in line for line in lines if len(line) > 80), fleet.out
    assert lines[-2] == '6 machines SAME' and re.search('^chance +at most 0.01 false alarms', fleet.out, re.M)
    fleet.run(form='markdown')
    assert '| z | FAIL | its record fails: FAIL: 3 checks failed |' in fleet.out, fleet.out


def machines_that_differ_alike_are_one_row():
    fleet = Fleet().alike(8)
    for number in range(3):
        fleet.add(machine('odd%d' % number, change=new_driver))
    fleet.run(form='text')
    assert '\nodd0, odd1, odd2  DIFFERS\n' in fleet.out and fleet.out.count('570.133.20') == 1, fleet.out


def a_page_has_all_machines():
    fleet = Fleet().alike(6)
    fleet.add(machine('<b>', change=new_driver), 'odd.json')
    fleet.add(machine('z', change=failed))
    path = os.path.join(SCRATCH, 'fleet.html')
    fleet.run('-o', path, fleet.folder, form='page')
    assert fleet.status == 1, fleet.errors
    with open(path, encoding='utf-8') as file:
        text = file.read()
    squares = re.findall('<li[^>]*(?:><a)? class="([A-Z]+)"[^>]*title="([^:]*): ([A-Z]+)"', text)
    assert [it[2] for it in squares] == ['FAIL', 'DIFFERS'] + 6 * ['SAME'], squares
    assert squares[1][1] == '&lt;b&gt;', squares
    page = xml.dom.minidom.parseString(text)
    ids = {it.getAttribute('id') for it in page.getElementsByTagName('*')}
    links = [it.getAttribute('href') for it in page.getElementsByTagName('a')]
    assert all(link[0] == '#' and link[1:] in ids for link in links) and 'http' not in text.split('<body>')[1], links
    # What is wider than a phone scrolls in its own box, and squares wrap.
    tables = page.getElementsByTagName('table')
    assert all('scroll' in it.parentNode.parentNode.getAttribute('class') for it in tables) and len(tables) >= 3
    assert '.map { display: flex; flex-wrap: wrap' in text and '570.133.20' in text
    fleet.run('-o', path, fleet.folder)
    with open(path, encoding='utf-8') as file:
        assert file.read()[0] == '{'  # as --format json says


def a_page_folds_many():
    """Machines that differ in one way are one section; of many ways most are folded."""
    fleet = Fleet().alike(90)
    for number in range(40):
        fleet.add(machine('os%02d' % number, change=setting('record', os='Linux 5.%d' % number)))
    for number in range(3):
        fleet.add(machine('driver%d' % number, change=new_driver))
    path = os.path.join(SCRATCH, 'many.html')
    fleet.run('-o', path, fleet.folder, form='page')
    assert fleet.status == 3, fleet.errors
    page = xml.dom.minidom.parse(path)
    found = [it for it in page.getElementsByTagName('section') if it.getAttribute('class') == 'finding']
    folded = [it for it in found if it.parentNode.tagName == 'details']
    heads = [it.getElementsByTagName('h3')[0].firstChild.data.strip() for it in found]
    assert len(found) == 41 and len(folded) == 11 and 'driver0 and 2 more' in heads, heads
    ids = [it.getAttribute('id') for it in page.getElementsByTagName('*')]
    assert all(ids.count('row%d' % row) == 1 for row in range(43)), ids


TESTS = [test for name, test in list(globals().items())
         if callable(test) and getattr(test, '__code__', None) and test.__code__.co_argcount == 0 and name != 'both']

with tempfile.TemporaryDirectory() as SCRATCH:
    print('1..%d' % len(TESTS))
    for number, test in enumerate(TESTS, 1):
        try:
            test()
            print('ok %d - %s' % (number, test.__name__), flush=True)
        except AssertionError as error:
            print('not ok %d - %s\n# %s' % (number, test.__name__, str(error)[:1500].replace('\n', '\n# ')), flush=True)
