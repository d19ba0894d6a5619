#!/usr/bin/env python3
# The commands whose outcome is no record (compare, fleet, merge, mutants) in every format: well-formed, with the
# verdict of the exit status, and never good where something was not compared, lost, skipped or undecided.
# Clauses: report.format.outcome, compare.format.all, compare.format.verdict, compare.exit.status, fleet.output.formats,
# fleet.exit.status, fleet.output.rest, shard.merge.formats, shard.merge.output, verdicts.mutants.formats, runner.exit.nagios, runner.output.quiet,
# verdicts.consumer.unchecked.
#     outcome_formats.py ASSAY RECORD_END SOURCE
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.dom.minidom

ASSAY, RECORD_END, SOURCE = map(os.path.abspath, sys.argv[1:4])
FORMATS = 'text tap json markdown page junit line prometheus gcm'.split()
GOOD, BAD, OPEN, SKIPPED = 0, 1, 3, 77
WORDS = {GOOD: ('PASS', 'SAME', 'BETTER'), BAD: ('FAIL', 'REGRESSED'),
         OPEN: ('INCONCLUSIVE', 'NOT COMPARABLE', 'DIFFERS'), SKIPPED: ('SKIP',)}
NAGIOS = {GOOD: 0, BAD: 2, OPEN: 3, SKIPPED: 3}
EXAMPLE = os.path.join(SOURCE, 'conformance/gate/example')
HOSTILE = '<b a="1">\'&amp;|`#*_[x](y)\\ \u202e\x1b[31m'


def run(*words, **variables):
    got = subprocess.run([ASSAY] + list(words), capture_output=True, env=dict(os.environ, **variables), check=False)
    return got.returncode, got.stdout.decode('utf-8'), got.stderr.decode('utf-8')


def record(name, *words):
    run('run', '--device', 'host', '--seed', '1', '--corpus', 'corpus-' + name, '-o', name, *words)
    return name


def rewritten(source, name, change):
    """A record whose lines were changed, with ends that hold."""
    with open(source, encoding='ascii') as file:
        lines = [json.loads(text) for text in file]
    for each in lines:
        change(each)
    with open(name, 'w', encoding='ascii') as file:
        file.writelines(json.dumps(each, separators=(',', ':')) + '\n' for each in lines if 'end' not in each)
    subprocess.run([RECORD_END, name], check=True)
    return name


def edited(source, name, **fields):
    return rewritten(source, name, lambda line: line.update(fields) if 'record' in line else None)


def text(out):
    return [word for words in WORDS.values() for word in words if re.search(r'(^|\s|: )%s\b' % word, out)]


def tap(out):
    lines = out.splitlines()
    results = [line for line in lines if re.match('(not )?ok - ', line)]
    assert lines[-1] == '1..%d' % len(results), lines[-1]
    assert all(re.match('(not ok|ok) - |# |1\\.\\.', line) for line in lines), out
    last = [line for line in results if ' as a whole' in line] or results[-1:]
    found = re.search(r'(?:as a whole|limit \d+)[^:]*: ([A-Z]+)|: ([A-Z]+)$', last[-1])
    return 'PASS' if last[-1].startswith('ok') else next(filter(None, found.groups()))


def json_of(out):
    root = json.loads(out)
    for status, words in WORDS.items():
        if root['exit_status'] == status:
            assert root['verdict'] in words, root['verdict']
    return {GOOD: 'PASS', BAD: 'FAIL', OPEN: 'INCONCLUSIVE', SKIPPED: 'SKIP'}[root['exit_status']]


def markdown(out):
    return re.match(r'\*\*([A-Z ]+)\*\*: ', out).group(1)


def page(out):
    xml.dom.minidom.parseString(out)
    assert 'http' not in out.split('<body>')[1].replace('xmlns="http://www.w3.org', ''), 'it fetches'
    return re.search(r'class="outcome ([A-Z]+)"', out).group(1)


def junit(out):
    with open('junit.xml', 'w', encoding='utf-8') as file:
        file.write(out)
    if shutil.which('xmllint'):
        schema = os.path.join(SOURCE, 'spec/junit.xsd')
        subprocess.run(['xmllint', '--noout', '--schema', schema, 'junit.xml'], check=True, capture_output=True)
    for suite in xml.dom.minidom.parseString(out).getElementsByTagName('testsuite'):
        for attribute, element in (('tests', 'testcase'), ('failures', 'failure'), ('errors', 'error'), ('skipped', 'skipped')):
            assert int(suite.getAttribute(attribute)) == len(suite.getElementsByTagName(element)), attribute
        whole = suite
    case = [it for it in whole.getElementsByTagName('testcase') if it.getAttribute('name') == 'whole'][0]
    inside = [it for it in case.childNodes if it.nodeType == it.ELEMENT_NODE]
    return inside[0].getAttribute('type') if inside else 'PASS'


def line(out):
    assert re.fullmatch(r'[ -{}~]{1,120}\n', out), out
    return out.split()[1].rstrip(':')


def prometheus(out):
    if shutil.which('promtool'):
        subprocess.run(['promtool', 'check', 'metrics'], input=out.encode(), check=True, capture_output=True)
    samples = [it.rsplit(' ', 1)[0] for it in out.splitlines() if it[0] != '#']
    assert len(samples) == len(set(samples)), 'a sample is there twice'
    verdict = re.findall(r'^assay_verdict\{verdict="([A-Z]+)"\} 1$', out, re.M)
    status = int(re.search(r'^assay_exit_status (\d+)$', out, re.M).group(1))
    assert len(verdict) == 1 and verdict[0] in WORDS[status], (verdict, status)
    return verdict[0]


def gcm(out):
    root = json.loads(out)
    assert root['start_time'] > 0 and root['_msg'].startswith('assay '), root
    return {0: 'PASS', 2: 'FAIL', 3: None}[root['result']]


READERS = {'tap': tap, 'json': json_of, 'markdown': markdown, 'page': page, 'junit': junit, 'line': line,
           'prometheus': prometheus, 'gcm': gcm}


def check_verdict(name, out, status):
    if name == 'text':
        assert set(text(out)) & set(WORDS[status]), out[-400:]
        return
    verdict = READERS[name](out)
    # The page of a fleet has SKIP's colour for one that only differs.
    good = verdict in WORDS[GOOD]
    assert good == (status == GOOD), '%s says %s with status %d' % (name, verdict, status)
    assert (verdict in WORDS[BAD]) == (status == BAD), '%s says %s with status %d' % (name, verdict, status)


def check(status, *words, **variables):
    """Each format of a command has its status and verdict, and so has --exit nagios."""
    for name in FORMATS:
        got, out, err = run(*words, '--format', name, **variables)
        assert got == status, 'status %d of %s %s: %s' % (got, ' '.join(words), name, err)
        if got == SKIPPED and name in ('text', 'tap'):
            continue  # one line on standard error
        check_verdict(name, out, status)
    got, _, _ = run(*words, '--exit', 'nagios', '--format', 'line', **variables)
    assert got == NAGIOS[status], 'status %d for Nagios' % got


def fleet_of(*files):
    folder = tempfile.mkdtemp(dir='.')
    for number, path in enumerate(files):
        shutil.copy(path, os.path.join(folder, '%d-%s' % (number, os.path.basename(path))))
    return folder


def make():
    for shard in '123':
        record('s%s.json' % shard, '--cases', '60', '--shard', shard + '/3', 'offset_copy')
        record('f%s.json' % shard, '--cases', '60', '--shard', shard + '/3', 'offset_copy', 'mutant/offset_ignored')
    record('good.json', '--cases', '20', 'offset_copy')
    record('other.json', '--cases', '20', 'matmul/naive')
    with open(os.path.join(EXAMPLE, 'before.json'), encoding='ascii') as file:
        lines = file.readlines()
    with open('cut.json', 'w', encoding='ascii') as file:
        file.writelines(lines[:len(lines) // 2])


def every_format_of_compare_agrees():
    before, after = (os.path.join(EXAMPLE, name) for name in ('before.json', 'after.json'))
    check(GOOD, 'compare', 'good.json', 'good.json')
    check(GOOD, 'compare', before, before)
    check(BAD, 'compare', before, after)
    check(BAD, 'compare', 'good.json', 'other.json')
    check(OPEN, 'compare', os.path.join(SOURCE, 'conformance/report/example/run.json'),
          os.path.join(SOURCE, 'conformance/report/example/bench.json'))
    check(OPEN, 'compare', before, 'cut.json')


def every_format_of_fleet_agrees():
    before, after = (os.path.join(EXAMPLE, name) for name in ('before.json', 'after.json'))
    check(GOOD, 'fleet', fleet_of(before))
    check(BAD, 'fleet', fleet_of(before, after))
    check(OPEN, 'fleet', fleet_of(before, before))
    check(OPEN, 'fleet', fleet_of(before, 'cut.json'))


def every_format_of_merge_agrees():
    check(GOOD, 'merge', 's1.json', 's2.json', 's3.json')
    check(OPEN, 'merge', 's1.json', 's3.json')
    check(OPEN, 'merge', 's1.json', 's2.json', 's2.json', 's3.json')
    check(BAD, 'merge', 'f1.json', 'f2.json', 'f3.json')
    check(BAD, 'merge', 'f1.json', 'f3.json')


def every_format_of_mutants_agrees():
    check(GOOD, 'mutants', '--device', 'host', 'mutant/gap_written')
    check(BAD, 'mutants', '--device', 'host', 'mutant/gap_written', ASSAY_HOST_FAULT='lane')
    for name in FORMATS[2:]:
        status, out, _ = run('mutants', '--path', 'sass', '--format', name, LD_LIBRARY_PATH='none')
        if status == SKIPPED:  # there is no GPU
            check_verdict(name, out, SKIPPED)


def mutants_that_were_not_hunted_are_undecided():
    hunt = subprocess.Popen([ASSAY, 'mutants', '--device', 'host', '--timeout', '60', '--format', 'junit', 'mutant/hang'],
                            stdout=subprocess.PIPE)
    time.sleep(1)
    hunt.send_signal(signal.SIGINT)
    out = hunt.communicate()[0].decode()
    assert hunt.returncode == OPEN, hunt.returncode
    check_verdict('junit', out, OPEN)
    assert re.search('<testcase name="hang"[^>]*>\\s*<error message="interrupted"', out), out


def nothing_lost_is_good():
    """A shard that is lost, and rows that it would have checked, are nowhere PASS."""
    _, out, _ = run('merge', 's1.json', 's3.json', '--format', 'prometheus')
    rows = re.findall(r'^assay_check_verdict\{part="bits",check="[^"]*",verdict="([A-Z]+)"\} 1$', out, re.M)
    assert rows and set(rows) == {'INCONCLUSIVE'}, out
    parts = re.findall(r'^assay_part_verdict\{part="(\w+)",verdict="PASS"\} 1$', out, re.M)
    assert not parts, parts
    _, out, _ = run('merge', 's1.json', 's3.json', '--format', 'junit')
    assert '<testcase name="shard 2 of 3"' in out and '<error message="lost: no file has it" type="INCONCLUSIVE">' in out


def each_machine_and_mutant_is_a_check():
    before, after = (os.path.join(EXAMPLE, name) for name in ('before.json', 'after.json'))
    _, out, _ = run('fleet', fleet_of(before, after), '--format', 'prometheus')
    assert 'assay_check_verdict{part="machines",check="1-after.json",verdict="FAIL"} 1\n' in out, out
    assert 'assay_check_verdict{part="machines",check="0-before.json",verdict="INCONCLUSIVE"} 1\n' in out, out
    _, out, _ = run('mutants', '--device', 'host', 'mutant/gap_written', '--format', 'json', ASSAY_HOST_FAULT='lane')
    found = json.loads(out)['findings'][0]
    assert found['what'] == 'gap_written' and found['how'] == 'WRONG DEATH' and found['action'] == 'repeat', found
    assert found['says']['expected'] == 'FAIL gap memory.gaps.untouched' and found['says']['case'], found
    _, out, _ = run('compare', before, after, '--format', 'line')
    assert out.startswith('assay FAIL') and out.endswith('; drain\n'), out


def each_difference_is_a_finding():
    before, after = (os.path.join(EXAMPLE, name) for name in ('before.json', 'after.json'))

    def slow(line):
        if line.get('bench', {}).get('kernel') == 'offset_copy/scalar' and line['bench']['regime'] == 'dram':
            line['bench']['gbps'] = [[0.9 * value for value in repeat] for repeat in line['bench']['gbps']]
    gate = os.path.join(SOURCE, 'conformance/fleet/example/h200.json')
    slower = rewritten(gate, 'slower.json', slow)
    status, out, _ = run('compare', gate, slower, '--format', 'prometheus')
    checks = re.findall(r'^assay_check_verdict\{part="speeds",check="([^"]*)",verdict="([A-Z]+)"\} 1$', out, re.M)
    failing = [name for name, verdict in checks if verdict == 'FAIL']
    assert status == BAD and failing and all(name.startswith('offset_copy/scalar through') for name in failing), failing
    assert len([name for name, verdict in checks if verdict == 'PASS']) > 10, checks
    assert 'assay_recommended_action{action="drain"} 1\n' in out, out
    assert 'assay_findings{severity="critical"} %d\n' % len(failing) in out, out
    _, out, _ = run('compare', gate, slower, '--format', 'tap')
    assert re.search('^not ok - offset_copy/scalar through [^\n]*: FAIL, .* GB/s\n# slower: offset_copy/scalar', out, re.M), out
    _, out, _ = run('compare', before, after, '--format', 'junit')
    assert re.search('<testcase name="fails now: thread_array/local [^>]*>\\s*<failure message="PASS -&gt; FAIL', out), out
    assert 'severity: critical, action: report\n' in out and 'severity: critical, action: drain\n' in out, out
    assert re.search('<testcase name="changed: toolkit of images cand" [^>]*/>', out), out
    for new, action in (('other.json', 'repeat'), ('cut.json', 'repeat')):
        base = 'good.json' if new == 'other.json' else before
        _, out, _ = run('compare', base, new, '--format', 'prometheus')
        assert 'assay_recommended_action{action="%s"} 1\n' % action in out, out
    assert 'assay_findings{severity="unknown"} 0\n' not in out and 'assay_findings{severity="critical"} 0\n' in out, out


def hostile_names_are_text():
    hostile = edited('good.json', 'hostile.json', host=HOSTILE)
    folder = fleet_of('good.json')
    names = [HOSTILE.replace('/', '') + '\n1..1\nnot ok - x.json', 'a"b\\c.json', '\x01.json', '\x02.json']
    for name in names:
        shutil.copy('cut.json', os.path.join(folder, name))
    shard = edited('s1.json', HOSTILE + '.json', host=HOSTILE)
    for words in (('compare', 'good.json', hostile), ('compare', hostile, 'other.json'), ('fleet', folder),
                  ('merge', shard, 's3.json')):
        status, _, _ = run(*words)
        check(status, *words)
        for name in FORMATS:
            out = run(*words, '--format', name)[1]
            assert '\x1b' not in out and '\u202e' not in out, (words, name)
            assert name not in ('page', 'junit') or '<b a=' not in out, (words, name)
            assert name != 'tap' or '\nnot ok - x.json' not in out, (words, name)


def quiet_shows_what_is_not_pass():
    before, after = (os.path.join(EXAMPLE, name) for name in ('before.json', 'after.json'))
    for words in (('fleet', fleet_of(before)), ('merge', 's1.json', 's2.json', 's3.json'),
                  ('compare', 'good.json', 'good.json')):
        assert run(*words, '-q') == (GOOD, '', ''), words
        assert run(*words, '-q', '--format', 'prometheus')[1], words
    status, out, _ = run('fleet', fleet_of(before, after), '-q')
    assert status == BAD and 'verdict' in out and '1-after.json  FAIL' in out, out
    assert not re.search('^(fleet|base|groups|sorts|chance) |^[0-9]* machines? SAME$', out, re.M), out
    status, out, _ = run('merge', 's1.json', 's3.json', '-q')
    assert status == OPEN and re.match('lost +shard 2 of 3\n', out) and '\nINCONCLUSIVE  ' in out and 'plan ' not in out, out


def a_file_is_whole_and_none_of_the_input():
    for words in (('compare', 'good.json', 'good.json'), ('fleet', fleet_of('good.json')),
                  ('merge', 's1.json', 's2.json', 's3.json')):
        assert run(*words, '-o', 'made.html') == (GOOD, '', ''), words
        with open('made.html', encoding='utf-8') as file:
            check_verdict('page', file.read(), GOOD)
        assert run(*words, '-o', 'made.html', '--format', 'line', '-q') == (GOOD, '', ''), words
        with open('made.html', encoding='ascii') as file:
            check_verdict('line', file.read(), GOOD)
    status, out, err = run('merge', 's1.json', '-o', 's1.json')
    assert status == 2 and not out and 'name another file' in err, err


TESTS = [test for test in list(globals().values()) if callable(test) and getattr(test, '__code__', None) and
         test.__code__.co_argcount == 0 and test.__code__.co_flags & 0x0c == 0 and test is not make]

with tempfile.TemporaryDirectory() as SCRATCH:
    os.chdir(SCRATCH)
    make()
    print('1..%d' % len(TESTS))
    for number, test in enumerate(TESTS, 1):
        try:
            test()
            print('ok %d - %s' % (number, test.__name__), flush=True)
        except Exception as error:
            why = getattr(error, 'stderr', None) or str(error)
            print('not ok %d - %s\n# %s' % (number, test.__name__, str(why)[:1500].replace('\n', '\n# ')), flush=True)
    os.chdir('/')
