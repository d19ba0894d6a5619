#!/usr/bin/env python3
# Every command that README and the guides print: in a block ```sh each line runs, in a folder that has
# what a build has; its status is the one that the comment after it names (`# status 1`,
# `# or status 77`), else 0. In blocks ```sh gpu,
# network, setup and build nothing runs here: each command of assay and each option must exist.
#     test_commands.py path/to/assay path/to/sources
# Clauses: gate.verdict.whole, gate.baseline.made, gate.parts.gpu, compare.exit.status,
# compare.environment.images, runner.options.table.
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

assay, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
number = 0


def report(good, what, said=''):
    global number
    number += 1
    print('%s %d - %s' % ('ok' if good else 'not ok', number, what))
    for line in () if good else said.splitlines()[-20:]:
        print('# ' + line)


def options_of(command):
    said = subprocess.run([assay, 'help', command], capture_output=True, text=True).stdout
    return set(re.findall(r'(?<![\w-])--[a-z][a-z0-9-]*', said))


def check_words(line):
    """The names and options of a command that cannot run here."""
    before = number
    for command in re.split(r'&&|;', line.split(' # ')[0].split('   #')[0]):
        _, has_assay, rest = command.partition('build/assay ')
        words = command.split() or ['']
        script = words[1] if words[0] == 'sh' and len(words) > 1 else words[0]
        if has_assay:
            name = rest.split()[0]
            missing = set(re.findall(r'(?<= )--[a-z][a-z0-9-]*', rest)) - options_of(name)
            report(not missing, line, 'assay %s has no %s' % (name, ', '.join(missing)))
        elif ('/' in script or script != words[0]) and not script.startswith('build/'):
            report((root / script).exists(), line, 'no file %s' % script)
    if number == before:
        report(True, line.split(' #')[0] + ' # SKIP it names no command of this project')


has_gpu = os.path.exists('/dev/nvidiactl')
gates = {}  # on several pages: what a line gave, and the files after it


def run_once(line, folder):
    """Where a line with a gate has run for another page, that page's files and result are taken."""
    if line not in gates:
        # Without a GPU a gate takes two kernels: test run has them all on the CPU.
        command = line if has_gpu else re.sub(r'(assay gate [^#]*)', r'\1 offset_copy ', line)
        done = subprocess.run(
            ['sh', '-c', command],
            cwd=folder,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        if ' gate ' not in line:
            return done
        files = {path.name: path.read_bytes() for path in pathlib.Path(folder).glob('*.json')}
        gates[line] = done, files
    done, files = gates[line]
    for name, content in files.items():
        (pathlib.Path(folder) / name).write_bytes(content)
    return done


def run_line(line, folder):
    """A gate without a GPU is INCONCLUSIVE; on a machine with one its verdict is that machine's."""
    if '| jq ' in line and not shutil.which('jq'):
        return report(True, line + ' # SKIP jq is not installed')
    expected = {int(status) for status in re.findall(r'# .*?\bstatus (\d+)', line)} or {0}
    if '# or status' in line:
        expected.add(0)
    if ' gate ' in line:
        expected = {0, 1, 3} if has_gpu else {3}
    done = run_once(line, folder)
    good = done.returncode in expected
    if ' compare ' in line:
        word = 'SAME' if done.returncode == 0 else 'REGRESSED'
        good = good and done.stdout.splitlines()[-1].startswith(word)
    report(good, re.sub(r'\s+# .*', '', line), 'status %d\n%s' % (done.returncode, done.stdout))


for page in [root / 'README.md', *sorted((root / 'spec/guide').glob('*.md'))]:
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / 'build').mkdir()
        os.symlink(assay, pathlib.Path(folder) / 'build/assay')
        for name in 'gate/example', 'report/example':
            shutil.copytree(
                root / 'conformance' / name, pathlib.Path(folder) / 'conformance' / name
            )
        for indent, kind, block in re.findall(
            r'(?ms)^( *)```sh ?(\w*)\n(.*?)^ *```$', page.read_text('utf-8')
        ):
            for line in filter(None, map(str.strip, block.replace('\\\n', ' ').splitlines())):
                if kind:
                    check_words(line)
                else:
                    run_line(line, folder)
print('1..%d' % number)
