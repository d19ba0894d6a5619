#!/usr/bin/env python3
"""Checks that pages, tests and sources of the tree agree: spec/clauses.md and spec/rooms.md.

    lint.py check ROOT                       one TAP line a check, each mistake on a line of stderr
    lint.py headers ROOT COMMANDS COMPILER FLAGS...   every header compiles alone
    lint.py calls NM ARCHIVE...              no file of the archives uses itself through others
    lint.py vectors OUTPUT PAGE...           the pages' vectors as the C table of spec/suite/vector.h

A mistake is a line "path:line: what is wrong; what to do". Pages and sources are read as text; any
bytes may come.
"""

import functools
import pathlib
import posixpath
import re
import subprocess
import sys
import tempfile

# Rooms of which neither reaches a file that the other reaches.
APART = [
    ('cuda', 'cpu_ref', 'a mistake in what kernels and golden share would be invisible'),
    ('cuda', 'fuzz', 'so would one in what kernels and cases share'),
]
# A room, and rooms that it must be below, so that it includes none of their headers.
BELOW = [
    (
        'conformance/report',
        ['conformance/bits', 'conformance/speed', 'conformance/programs', 'conformance/codegen'],
        'what a measure shows comes from the lines of its record',
    )
]
FOLDERS = ['spec', 'cpu_ref', 'fuzz', 'cuda', 'conformance', 'tools']
SOURCES = ('.c', '.h', '.cu', '.def', '.inc')
OPERANDS_MAX = 4

PART = r'[a-z](?:[a-z0-9_]*[a-z0-9])?'
ID = r'%s\.%s\.%s' % (PART, PART, PART)
# In free text: a path, a member, a call and a name of two or of four parts are no ids.
ID_IN_TEXT = re.compile(r'(?<![A-Za-z0-9_./>-])(%s)(?![A-Za-z0-9_/(])(?!\.%s)' % (ID, PART))
PIECE = re.compile(
    r'(?P<comment>/\*.*?(?:\*/|\Z)|//[^\n]*)|"(?P<string>(?:\\.|[^"\\\n])*)"?|'
    r"'(?:\\.|[^'\\\n])*'?",
    re.S,
)


class Tree:
    """Files of the tree by path, as text."""

    def __init__(self, files, has=lambda path: False):
        self.has = has  # whether another path is there
        self.files = dict(sorted(files.items()))
        self.pages = {
            page_name(path): page_items(text) for path, text in self.files.items() if is_page(path)
        }
        self.clauses = {}
        for name, items in self.pages.items():
            for item in items:
                if item['kind'] == 'clause' and item['clause'].split('.')[0] == name:
                    self.clauses.setdefault(item['clause'], item['line'])


def load(root):
    root = pathlib.Path(root)
    paths = [root / name for name in ('README.md', 'CONTRIBUTING.md') if (root / name).exists()]
    for folder in FOLDERS:
        if not (root / folder).is_dir():
            raise SystemExit('%s: no such folder' % (root / folder))
        paths += [
            path
            for path in (root / folder).rglob('*')
            if path.is_file()
            and not path.is_symlink()
            and path.suffix in SOURCES + ('.md', '.sh', '.py', '.in')
            and '/.' not in str(path.relative_to(root))
        ]
    return Tree(
        {path.relative_to(root).as_posix(): path.read_text(encoding='utf-8') for path in paths},
        lambda path: (root / path).exists(),
    )


def name_of(path):
    return path.rsplit('/', 1)[-1]


def page_name(path):
    return name_of(path)[: -len('.md')]


def is_page(path):
    return re.fullmatch(r'spec/[^/]+\.md', path) and path != 'spec/README.md'


def of_tests(path):
    return (
        name_of(path).startswith('test_')
        or '/test/' in path
        or path.startswith(('spec/suite/', 'fuzz/targets/'))
    )


def is_test(path, text):
    return (
        path.endswith('.c')
        and (name_of(path).startswith('test_') or '/test/' in path)
        and ('START_TEST(' in text or 'main(' in text)
    )


def is_script(path, text):
    return path.endswith(('.sh', '.py')) and of_tests(path) and text.startswith('#!')


def is_kernel(path):
    return path.endswith('.cu') and not path.startswith('cuda/mutants/') and '/test_' not in path


def line_of(text, at):
    return text.count('\n', 0, at) + 1


@functools.lru_cache(maxsize=None)
def pieces(text):
    """(line, kind, text) of each comment and string of C code."""
    return [
        (line_of(text, it.start()), it.lastgroup, it.group(it.lastgroup))
        for it in PIECE.finditer(text)
        if it.lastgroup
    ]


@functools.lru_cache(maxsize=None)
def without_comments(text):
    """The code with blanks in the place of comments: every line stays where it is."""
    return PIECE.sub(
        lambda it: re.sub(r'[^\n]', ' ', it.group()) if it.lastgroup == 'comment' else it.group(),
        text,
    )


# Pages.


def clause_of(line):
    """{clause, sentence, sources}, or what is wrong with the line."""
    match = re.match(r'- \*\*(%s)' % ID, line)
    if not match:
        return 'a clause line opens with `- **page.topic.detail**: `'
    rest = line[match.end() :]
    if not rest.startswith('**: '):
        return "`**: ` follows a clause's id, which has three lower_snake parts"
    end = re.fullmatch(r'(?s)(.*\.) \(([^(]*)\)', rest[4:])
    if not end:
        return 'a clause is a sentence, its full stop, and its sources in parentheses at the end'
    sentence, sources = end.groups()
    if sentence.startswith(' ') or '  ' in sentence:
        return 'one space between two words of a clause'
    documents = sources.split(', ')
    if sources != 'assay' and not (
        all(re.fullmatch(r'[0-9]{3}', it) for it in documents)
        and documents == sorted(set(documents))
    ):
        return 'sources are documents in ascending order, `(000, 004)`, or `(assay)`'
    return {'clause': match.group(1), 'sentence': sentence, 'sources': sources}


def add_entry(vector, line, number, line_number):
    """Line `number` (from 0) after a vector's opening line; what is wrong with it, or None."""
    if has_control(line):
        return 'a control character'
    match = re.fullmatch(r'(%s):(?: (\S(?:.*\S)?))?' % PART, line)
    if not match:
        return "a vector's lines are `key: values`, with one space between two values"
    key, values = match.group(1), match.group(2) or ''
    if number == 0:
        if key != 'clause' or not re.fullmatch(ID, values):
            return "a vector's first line is `clause: page.topic.detail`"
        vector['clause'] = values
    elif number == 1:
        if key != 'case' or not values:
            return "a vector's second line is `case: ` and a case line"
        vector.update(case=values, case_line=line_number)
    elif key in [name for name, _, _ in vector['operands']]:
        return 'an operand is there twice in a vector'
    elif len(vector['operands']) == OPERANDS_MAX:
        return 'a vector has too many operands'
    else:
        vector['operands'].append((key, values, line_number))
    return None


def has_control(line):
    return re.search(r'[\x00-\x1f\x7f]', line) is not None


def is_odd_fence(line):
    """Looks like a fence, and is not in the one form that is read."""
    bare = line.lstrip(' ')
    return (
        bare.startswith(('~~~', '````'))
        or (bare != line and bare.startswith('```'))
        or (line.startswith('```') and 'ector' in line and line != '```vector')
    )


def read_vector(lines, at):
    """The vector that opens at index `at`, and the index of the line after it.

    Reads to the closing line also where there is a mistake, so that one mistake is reported once.
    """
    vector = {'kind': 'vector', 'line': at + 1, 'operands': []}
    wrong = None
    for index in range(at + 1, len(lines)):
        line = lines[index]
        if line == '```':
            if wrong is None and not vector['operands']:
                wrong = bad(at + 1, 'a vector has a clause, a case and its operands')
            return wrong or vector, index + 1
        if line.startswith(('```', '- **', '#')):
            break  # the next item begins: the closing line was forgotten
        message = add_entry(vector, line, index - at - 1, index + 1)
        if message and wrong is None:
            wrong = bad(index + 1, message)
    else:
        index = len(lines)
    return bad(at + 1, 'a vector that never ends; its last line is ```'), index


def bad(line, message):
    return {'kind': 'bad', 'line': line, 'message': message}


def page_items(text):
    """The page's clauses, vectors and mistakes, in order."""
    lines = text.split('\n')
    if lines[-1] == '':
        lines.pop()
    items, at = [], 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if has_control(line):
            items.append(bad(at, 'a control character'))
        elif is_odd_fence(line):
            items.append(
                bad(at, 'a fence is ``` in the first column; that of a vector is ```vector')
            )
        elif line == '```vector':
            item, at = read_vector(lines, at - 1)
            items.append(item)
        elif line.startswith('```'):
            opening = at
            while at < len(lines) and lines[at] != '```':
                at += 1
            if at == len(lines):
                items.append(bad(opening, 'a fence that never ends'))
            at += 1
        elif line.startswith('- **'):
            clause = clause_of(line)
            items.append(
                bad(at, clause)
                if isinstance(clause, str)
                else {'kind': 'clause', 'line': at, **clause}
            )
        elif re.search(r'\*\*%s\.%s' % (PART, PART), line):
            items.append(bad(at, 'an id in bold opens a clause: `- **id**: ...`'))
    return items


# Citations.


def clause_calls(text):
    """(line, id) of each id in CLAUSE("id") and START_TEST(name, "id", "id") in C code."""
    code = without_comments(text)
    for call in re.finditer(r'\b(?:CLAUSE\s*\(|START_TEST\s*\(\s*\w+\s*,)([^)]*)', code):
        for match in re.finditer(r'"((?:\\.|[^"\\\n])*)"', call.group(1)):
            yield line_of(text, call.start(1) + match.start()), match.group(1)


def ids_in(text, first_line=1):
    for match in ID_IN_TEXT.finditer(text):
        yield first_line + text.count('\n', 0, match.start()), match.group(1)


def cited_texts(path, text):
    """(line, text) of what may cite: comments and strings of sources, all of other files."""
    if not path.endswith(SOURCES):
        yield 1, text
        return
    for line, _, piece in pieces(text):
        yield line, piece


def script_clauses(text):
    found = re.search(r'\n# Clauses:((?:.*\n#)*.*)', text)
    return [cited for _, cited in ids_in(found.group(1))] if found else []


def check_pages(tree):
    if not tree.pages:
        yield 'spec/: no page was found'
    for path, text in tree.files.items():
        if not is_page(path):
            continue
        name = page_name(path)
        if not re.fullmatch(PART, name):
            yield "%s:1: a page's name is one lower_snake part" % path
        if not text.startswith('# ') or len(text) < 3:
            yield "%s:1: a page's first line is its title, `# ...`" % path
        for item in tree.pages[name]:
            if item['kind'] == 'bad':
                yield '%s:%d: %s' % (path, item['line'], item['message'])
            elif item['clause'].split('.')[0] != name:
                yield '%s:%d: %s is in the page of another name; its first part is %s' % (
                    path,
                    item['line'],
                    item['clause'],
                    name,
                )
            elif item['kind'] == 'clause' and tree.clauses[item['clause']] != item['line']:
                yield '%s:%d: %s is already the id of line %d; give one of them another id' % (
                    path,
                    item['line'],
                    item['clause'],
                    tree.clauses[item['clause']],
                )


def check_clauses_cited(tree):
    cited = set()
    for path, text in tree.files.items():
        if is_script(path, text):
            cited.update(script_clauses(text))
        elif is_test(path, text):
            cited.update(clause for _, clause in clause_calls(text))
    for name, items in tree.pages.items():
        cited.update(item['clause'] for item in items if item['kind'] == 'vector')
        for item in items:
            if item['kind'] == 'clause' and item['clause'] not in cited:
                yield (
                    'spec/%s.md:%d: no test cites %s; write a test START_TEST(name, "%s") or a vector, '
                    'or drop the clause' % (name, item['line'], item['clause'], item['clause'])
                )


def check_links(tree):
    """A relative link of a page leads to a file of the tree, and its anchor to a heading there."""
    for path, text in tree.files.items():
        if not path.endswith('.md'):
            continue
        for match in re.finditer(r'\]\(([^)#:\s]*)(?:#([^)\s]*))?\)', text):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), match.group(1)))
            target = path if not match.group(1) else target
            where = '%s:%d: ' % (path, line_of(text, match.start()))
            if target not in tree.files and not tree.has(target):
                yield where + 'links to %s, which is not there' % target
            elif match.group(2) and match.group(2) not in anchors(tree.files.get(target, '')):
                yield where + 'links to #%s, and %s has no such heading' % (match.group(2), target)


def anchors(text):
    return {
        re.sub(r'[^\w\- ]', '', heading.lower()).replace(' ', '-')
        for heading in re.findall(r'(?m)^#+ (.*)$', text)
    }


def check_citations_exist(tree):
    for path, text in tree.files.items():
        for first_line, piece in cited_texts(path, text):
            for line, cited in ids_in(piece, first_line):
                if cited.split('.')[0] in tree.pages and cited not in tree.clauses:
                    yield '%s:%d: %s is no clause; mend the id, or write the clause in its page' % (
                        path,
                        line,
                        cited,
                    )
        for line, cited in clause_calls(text) if path.endswith(SOURCES) else ():
            if not re.fullmatch(ID, cited) or cited.split('.')[0] not in tree.pages:
                yield '%s:%d: clause "%s" names no page; an id is page.topic.detail' % (
                    path,
                    line,
                    cited,
                )


def check_tests_cite(tree):
    for path, text in tree.files.items():
        if is_script(path, text) and not script_clauses(text):
            yield '%s:1: a test that cites no clause; add `# Clauses: id.`' % path
        if not is_test(path, text):
            continue
        if not any(True for _ in clause_calls(text)):
            yield '%s:1: a test file that cites no clause; add CLAUSE("id")' % path
        for match in re.finditer(
            r'\bSTART_TEST\b(?:\s*\(\s*(\w+)\s*(,\s*")?)?', without_comments(text)
        ):
            if not match.group(2):
                yield '%s:%d: test %s names no clause: START_TEST(name, "id"); say what it checks' % (
                    path,
                    line_of(text, match.start()),
                    match.group(1),
                )


def check_kernels_cite(tree):
    for path, text in tree.files.items():
        if is_kernel(path) and not any(
            cited in tree.clauses
            for _, kind, piece in pieces(text)
            if kind == 'comment'
            for _, cited in ids_in(piece)
        ):
            yield '%s:1: a kernel that cites no clause; name the one that it implements in its opening comment' % path


def check_kernels_portable(tree):
    """NVRTC reads C++17 unless told otherwise; its versions before 13 refuse what only C++20 has."""
    for path, text in tree.files.items():
        device = path.endswith(('.cu', '.inc')) or path.endswith('.h') and 'DEVICE ' in text
        if path.startswith('cuda/') and not path.startswith('cuda/host/') and device:
            for match in re.finditer(r'[{,]\s*\.\w+ = ', without_comments(text)):
                yield '%s:%d: names a member in an initializer, which NVRTC 12 refuses; assign to it' % (
                    path,
                    line_of(text, match.end()),
                )


# Rooms.


class Include:
    def __init__(self, source, line, target):
        self.source, self.line, self.target = source, line, target


def includes(tree):
    """Every include of a file of this tree, but those of tests."""
    found = []
    for path, text in tree.files.items():
        if not path.endswith(SOURCES) or of_tests(path):
            continue
        folder = path.rsplit('/', 1)[0] + '/' if '/' in path else ''
        for match in re.finditer(
            r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]*)"', without_comments(text), re.M
        ):
            name = match.group(1)
            target = next(
                (place + name for place in (folder, '', 'cuda/') if place + name in tree.files),
                name,
            )
            found.append(Include(path, line_of(text, match.start()), target))
    return found


def room_of(path, rooms):
    inside = [room for room in rooms if path.startswith(room + '/')]
    if not inside:
        return None
    room = max(inside, key=len)
    has_rooms = any(other.startswith(room + '/') for other in rooms)
    return None if has_rooms and '/' in path[len(room) + 1 :] else room


def room_rows(tree):
    """The rows of CONTRIBUTING.md's table of rooms, from the top down."""
    table = re.search(
        r'\n\| room \|[^\n]*\n[^\n]*\n((?:\|[^\n]*\n?)*)', tree.files.get('CONTRIBUTING.md', '')
    )
    return table.group(1).splitlines() if table else []


def rooms_of(tree):
    """The rooms: a file includes files of its own and of those below it.

    A file belongs to the longest folder that holds it; a room that has rooms inside owns the files
    that lie in it directly.
    """
    found = [re.match(r'\| `([^`|]+)/` \|', row) for row in room_rows(tree)]
    return [it.group(1) for it in found if it]


def check_arrows(tree):
    rooms = rooms_of(tree)
    for it in includes(tree):
        source, target = room_of(it.source, rooms), room_of(it.target, rooms)
        where = '%s:%d: ' % (it.source, it.line)
        if source is None:
            yield where + "lies in no room; add its folder to CONTRIBUTING.md's table of rooms"
        elif of_tests(it.target):
            yield where + "includes a test's file, " + it.target
        elif target is None:
            yield where + 'includes %s, which lies in no room' % it.target
        elif rooms.index(target) < rooms.index(source):
            yield where + 'includes %s: %s lies above %s' % (it.target, target, source)


def cycles(edges):
    """edges: {node: [(node, words)...]}. Yields words and the way of each cycle."""
    done, way = set(), []

    def visit(node):
        way.append(node)
        for other, words in edges.get(node, ()):
            if other in way:
                yield '%s, which closes a cycle: %s' % (
                    words,
                    ' > '.join([*way[way.index(other) :], other]),
                )
            elif other not in done:
                yield from visit(other)
        done.add(way.pop())

    for node in list(edges):
        if node not in done:
            yield from visit(node)


def check_cycles(tree):
    levels = [
        lambda path: path,
        lambda path: re.sub(r'_internal$', '', re.sub(r'\.[^./]*$', '', path)),
        lambda path: path.rpartition('/')[0],
    ]
    for level in levels:
        edges = {}
        for it in includes(tree):
            if level(it.source) != level(it.target):
                edges.setdefault(level(it.source), []).append(
                    (level(it.target), '%s:%d: includes %s' % (it.source, it.line, it.target))
                )
        yield from cycles(edges)


def check_apart(tree, apart=APART):
    found = includes(tree)

    def reached(folder):
        by, grows = [it for it in found if it.source.startswith(folder + '/')], True
        while grows:
            targets = {it.target for it in by}
            more = [it for it in found if it not in by and it.source in targets]
            by, grows = by + more, bool(more)
        return by

    for left, right, reason in apart:
        for one, other in (left, right), (right, left):
            targets = {it.target for it in reached(other)}
            for it in reached(one):
                if it.target.startswith(other + '/') or it.target in targets:
                    yield '%s:%d: %s and %s both reach %s: %s' % (
                        it.source,
                        it.line,
                        one,
                        other,
                        it.target,
                        reason,
                    )


def check_names(tree):
    seen = {}
    for path in tree.files:
        name = name_of(path)
        if name.endswith(('.c', '.h')) and name != 'call.h':
            if name in seen:
                yield '%s:1: has the name of %s; rename one of them' % (path, seen[name])
            seen.setdefault(name, path)


NUMBER = re.compile(r'\bjson_real(?:_set)?\s*\(|\bjson_pack\s*\(\s*(?:"[^"f]*"\s*)*"[^"f]*f')


def check_numbers(tree):
    """JSON has neither infinities nor NaN, and jansson makes no value of them."""
    for path, text in tree.files.items():
        if not path.endswith(SOURCES) or of_tests(path) or path == 'conformance/record/record_fields.c':
            continue
        for it in NUMBER.finditer(without_comments(text)):
            yield '%s:%d: writes a number as JSON; use value_of_number' % (
                path,
                line_of(text, it.start()),
            )


def check_rooms_table(tree, below=BELOW):
    rows, rooms = room_rows(tree), rooms_of(tree)
    for low, above, reason in below:
        for high in above:
            if low in rooms and high in rooms and rooms.index(low) < rooms.index(high):
                yield 'CONTRIBUTING.md: %s must be below %s: %s' % (low, high, reason)
    if not rows:
        yield 'CONTRIBUTING.md: has no table of rooms (`| room | ...`)'
    for number, row in enumerate(rows):
        if not re.match(r'\| `[^`|]+/` \| [^|\s]', row):
            yield 'CONTRIBUTING.md: row %d of the table of rooms must begin "| `FOLDER/` | what"' % (number + 1)
    for room in rooms:
        if rooms.count(room) > 1:
            yield 'CONTRIBUTING.md: %s is in the table of rooms twice' % room
        if not any(room_of(path, rooms) == room for path in tree.files):
            yield 'CONTRIBUTING.md: no file lies in %s; remove the row' % room


def check_declarations(tree):
    """What a header declares and one file alone names, but for what a macro of the header names."""
    kept = {
        path: without_comments(text)
        for path, text in tree.files.items()
        if path.endswith(('.c', '.h', '.cu', '.def', '.in'))
    }
    words = {path: re.findall(r'\w+', text) for path, text in kept.items()}
    named = {}
    for path, found in words.items():
        for word in set(found):
            named.setdefault(word, []).append(path)
    for path, text in kept.items():
        if not path.endswith('.h') or of_tests(path) or 'test' in path:
            continue
        declared = re.findall(
            r'(?m)^(?!static |typedef |DEVICE )[A-Za-z0-9_]+ [A-Za-z0-9_ *]*?(\w+)\(', text
        )
        declared += re.findall(r'(?m)^extern [^;(]*?(\w+)(?:\[[^\]]*\])?;', text)
        for name in declared:
            if len(named[name]) < 3 and words[path].count(name) < 2:
                yield '%s: %s is named by one source alone; make it static' % (path, name)


CHECKS = [
    (check_pages, 'the pages are well-formed, their ids unique'),
    (check_clauses_cited, 'every clause is cited by a test or a vector'),
    (check_citations_exist, 'every id that is cited is a clause'),
    (check_links, 'every link of a page leads somewhere'),
    (check_tests_cite, 'every test names the clauses that it checks'),
    (check_kernels_cite, 'every kernel names the clause it implements'),
    (check_kernels_portable, 'NVRTC of every version compiles the kernels'),
    (check_arrows, 'every include leads downwards'),
    (check_cycles, 'no file, module or folder includes itself'),
    (check_apart, 'kernels share no file with the golden'),
    (check_names, 'no two sources have one name'),
    (check_numbers, 'one function writes a number as JSON'),
    (check_rooms_table, 'CONTRIBUTING.md has the table of rooms'),
    (check_declarations, 'another file than the defining one names what a header declares'),
]


def tap(results):
    """(mistakes, what was checked)... as TAP."""
    number = 0
    for mistakes, what in results:
        number += 1
        for mistake in mistakes:
            print(mistake, file=sys.stderr)
        print('%s %d - %s' % ('not ok' if mistakes else 'ok', number, what), flush=True)
    print('1..%d' % number)


def check(root):
    tree = load(root)
    tap((list(function(tree)), what) for function, what in CHECKS)


def check_headers(root, commands, *compiler):
    """Every header compiles alone; one that a source of the build begins with was compiled by it."""
    root = pathlib.Path(root)
    build = pathlib.Path(commands).parent
    first = set()
    for name in re.findall(
        r'"file": "(.*\.c)"', pathlib.Path(commands).read_text(encoding='utf-8')
    ):
        text = (
            (build / name).read_text(encoding='utf-8', errors='replace')
            if (build / name).exists()
            else ''
        )
        first.update(re.findall(r'\A#include "(.*?)"', without_comments(text).lstrip()))

    def alone(folders, *flags):
        with tempfile.TemporaryDirectory() as scratch:
            files = []
            for path in sorted(path for folder in folders for path in (root / folder).rglob('*.h')):
                name = path.relative_to(root).as_posix()
                if name not in first:
                    file = pathlib.Path(scratch) / (name.replace('/', '_') + '.c')
                    # ISO C wants a declaration in a file; a header may have macros alone.
                    file.write_text('#include "%s"\nextern int alone;\n' % name, encoding='utf-8')
                    files.append(str(file))
            done = subprocess.run(
                [*compiler, '-fsyntax-only', '-I', str(root), *flags, *files],
                cwd=root,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
            return [done.stderr.strip() or 'status %d' % done.returncode] if done.returncode else []

    tap(
        [
            (
                alone(['spec', 'cpu_ref', 'fuzz', 'conformance']),
                'every header of the runner compiles alone',
            ),
            (
                alone(
                    ['cuda'],
                    '-I',
                    str(root / 'cuda'),
                    '-DASSAY_UNIT=alone',
                    '-include',
                    'host/emulation.h',
                ),
                'every header of cuda/ compiles alone',
            ),
        ]
    )


def call_cycles(listing):
    """The cycles among the objects of `nm -A`: who uses a symbol that another defines."""
    definer, users = {}, []
    for line in listing.splitlines():
        path, _, rest = line.rpartition(':')
        kind, symbol = ['', '', *rest.split()][-2:]
        name = posixpath.basename(path)
        if kind == 'U':
            users.append((name, symbol))
        elif kind in [*'TDBRVW']:
            definer[symbol] = name
    edges = {}
    for name, symbol in users:
        other = definer.get(symbol, name)
        if other != name:
            edges.setdefault(name, {}).setdefault(other, symbol)
    return list(
        cycles(
            {
                name: [(other, '%s uses %s' % (name, symbol)) for other, symbol in used.items()]
                for name, used in edges.items()
            }
        )
    )


def check_calls(nm, *archives):
    listing = subprocess.run([nm, '-A', *archives], stdout=subprocess.PIPE, text=True, check=True)
    mistakes = call_cycles(listing.stdout)
    if ' T ' not in listing.stdout:
        mistakes.append('%s lists no function' % nm)
    tap([(mistakes, 'no file uses itself through the symbols of others')])


def write_vectors(output, *pages):
    def quoted(text):
        return '"%s"' % re.sub(r'(["\\?])', r'\\\1', text)

    rows = []
    for path in pages:
        for item in page_items(pathlib.Path(path).read_text(encoding='utf-8')):
            if item['kind'] == 'vector':
                operands = ', '.join(
                    '{%s, %s, %d}' % (quoted(name), quoted(values), line)
                    for name, values, line in item['operands']
                )
                rows.append(
                    '    {"spec/%s", %d, %s, %d, %d, {%s}},'
                    % (
                        name_of(path),
                        item['line'],
                        quoted(item['case']),
                        item['case_line'],
                        len(item['operands']),
                        operands,
                    )
                )
    pathlib.Path(output).write_text(
        '/* Written by lint.py; do not edit. */\n#include "spec/suite/vector.h"\n\n'
        'const struct vector vectors[] = {\n%s\n};\nconst int vector_count = %d;\n'
        % ('\n'.join(rows), len(rows)),
        encoding='utf-8',
    )


COMMANDS = {
    'check': check,
    'headers': check_headers,
    'calls': check_calls,
    'vectors': write_vectors,
}

if __name__ == '__main__':
    if len(sys.argv) < 3 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    COMMANDS[sys.argv[1]](*sys.argv[2:])
