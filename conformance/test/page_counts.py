#!/usr/bin/env python3
# What a page of `assay report` counts twice, it counts alike: sentences against tables, the verdict's reason
# against the failures below it. Prints each number that differs.
# Clauses: report.html.counts.
#     page_counts.py PAGE
import re
import sys
import xml.etree.ElementTree

SPACE = '{http://www.w3.org/1999/xhtml}'
FAILURES = ('FAIL', 'CRASH', 'TIMEOUT')
root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
checked = 0


def text(element):
    return ' '.join(''.join(element.itertext()).split())


def elements(name, within=root):
    return within.iter(SPACE + name) if within is not None else ()


def section(name):
    return next((each for each in elements('section') if each.get('id') == name), None)


def tables(name, heading):
    """The rows of the section's tables that have this heading, as dictionaries by heading."""
    for table in elements('table', section(name)):
        rows = [[text(cell) for cell in row] for row in elements('tr', table)]
        if heading in rows[0]:
            yield [dict(zip(rows[0], row)) for row in rows[1:]]


def rows(name, heading):
    return [row for table in tables(name, heading) for row in table]


def number(word):
    return int((word or '0').replace(',', ''))


def total(rows_, *headings):
    return sum(number(row.get(heading)) for row in rows_ for heading in headings)


def found(pattern, where='li'):
    """The sums of the numbers in all sentences of that pattern, or None."""
    matches = [re.search(pattern, text(each)) for each in elements(where)]
    groups = [[number(group) for group in match.groups()] for match in matches if match]
    return [sum(column) for column in zip(*groups)] or None


def check(what, said, counted):
    """`said` is None where the page says nothing, which is right of 0."""
    global checked
    if said is None and not any(counted):
        return
    checked += 1
    if said != counted:
        print('%s: a sentence says %s, and the page has %s' % (what, said, counted))


results = rows('kernels', 'XXH3-128 of the outputs') or rows('kernels', 'passed')
verdicts = ('passed', 'fail', 'crash', 'timeout', 'error', 'inconclusive', 'skip')
failed = [row for row in results if row['verdict'] in FAILURES]
if results:
    said = found(r'Bits: ([\d,]+) of ([\d,]+) checks? passed')
    check('checks', said, [total(results, 'passed'), total(results, *verdicts)])
check('declined', found(r'Declined: ([\d,]+) launch'), [total(results, 'declined')])
check('empty', found(r'Nothing launched: ([\d,]+) check'), [total(results, 'empty')])
said = found(r'Without a verdict, of kernels that failed: ([\d,]+) check')
check('undecided', said, [total(failed, 'error', 'inconclusive', 'skip')])

speeds = rows('floors', 'floor is') or rows('floors', 'of ceiling')
said = found(r'Speed: ([\d,]+) of ([\d,]+) measurements? reached the floor')
if said:
    check('speeds', said, [sum(row['verdict'] == 'PASS' for row in speeds), len(speeds)])
floors = [row['floor is'] for row in speeds if row.get('floor is')]
said = found(r'Floors: ([\d,]+) of ([\d,]+) derived from a model')
check('derived floors', said, [floors.count('derived'), len(floors)] if 'derived' in floors else [0])
swept = [row for each in elements('section') for row in rows(each.get('id'), 'at')]
if not any(row['kernel'].startswith('mutant/') for row in speeds):  # whose sweeps no figure shows
    check('sweeps', found(r'Sweeps: ([\d,]+) measurements?'), [len(swept)])

functions = rows('codegen', 'function')
said = found(r'Machine code: ([\d,]+) of ([\d,]+) functions? within the budget')
counted = [sum(row['verdict'] == 'PASS' for row in functions), len(functions)]
check('functions', said, counted)
check("a figure's functions", found(r'^([\d,]+) of ([\d,]+) functions? within the budget;'), counted)

programs = rows('programs', 'right')
ran = found(r'Programs: ([\d,]+) of ([\d,]+) (?:generated|runs?)')
if ran:
    known = found(r'and ([\d,]+) failed as known miscompiles do') or [0]
    right = total(programs, 'right')
    check('programs', ran + known, [right, right + total(programs, 'as known', 'wrong', 'broken', 'other')]
          + [total(programs, 'as known')])

said = found(r'([\d,]+) known miscompiles? in this stack')
if said:
    present = {row['known miscompile'].split(' ')[0] for row in rows('known', 'known miscompile')
               if row['verdict'] != 'SKIP'}
    check('known miscompiles', said, [len(present)])
    check('known miscompiles, folded', found(r'([\d,]+) known miscompiles? in this', 'summary'), [len(present)])

fold = next((each for each in elements('details') if text(each).startswith('Kernels of this version')), None)
if fold is not None:
    names = text(next(elements('p', fold))).split(', ')
    check('kernels', found(r'Kernels of this version not run: ([\d,]+)', 'summary'), [len(names)])

# A file of several records has a list of them with their reasons; a file of one the reason alone.
reason = r'([\d,]+) failed, ([\d,]+) crashed, ([\d,]+) timed out'
reasons = found(r'(?:PASS|FAIL) .*' + reason) or found('^' + reason, 'p')
articles = [text(next(elements('h3', each))) for each in elements('article')]
articles = [each for each in articles if each.startswith(FAILURES) and 'a known miscompile' not in each]
left = found(r'Only in .*: ([\d,]+) more (?:failure|miscompile|failed measurement)', 'p') or [0]
alike = found(r'Programs that fail alike are described once: ([\d,]+) of ([\d,]+)', 'p') or [0, 0]
shown = found(r'^([\d,]+) failures?\b', 'p')
check('failures', shown, [len(articles) + left[0] + alike[1] - alike[0]])
if reasons:
    check('failures of the reason', shown, [sum(reasons)])
said = found(r'Checks without a verdict: ([\d,]+)', 'h3')
lists = [each for each in elements('li', section('failures'))]
if said and said[0] <= 20:
    check('checks without a verdict', said, [len(lists)])
print('# %d numbers compared' % checked)
