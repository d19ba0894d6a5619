#!/usr/bin/env python3
# The lint (lint.py) on made-up trees, each wrong in one way. Ids of made-up pages name no real page, so
# that the lint of this tree does not take them for citations.
# Clauses: clauses.form.line, clauses.form.vector, clauses.id.unique, clauses.cited.always,
# clauses.cited.exists, clauses.links.lead, clauses.test.cites, clauses.kernel.cites, rooms.arrow.downwards,
# rooms.cycle.none, rooms.cycle.calls, rooms.golden.apart, rooms.header.alone, rooms.header.used, rooms.name.unique,
# rooms.table.readme, rooms.report.lines.
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import lint

PAGE = '# toy\n- **toy.sum.value**: The sum. (assay)\n'
TEST = 'START_TEST(sum, "toy.sum.value")\n{\n}\n'
OPENING = '```vector\nclause: toy.sum.value\n'
CASE = 'case: toy\n'
HEAD = '# x\n\n| room | what |\n|---|---|\n'
ROOMS = {
    'CONTRIBUTING.md': HEAD
    + ''.join(
        '| `%s/` | it |\n' % room for room in ('hall', 'hall/attic', 'hall/cellar', 'yard', 'well')
    )
}


def include(path):
    return '/* Opens. */\n#include "%s"\n' % path


class Lint(unittest.TestCase):
    def finds(self, check, files, count, part='', *more):
        found = list(check(lint.Tree(files), *more))
        self.assertEqual(len(found), count, found)
        self.assertIn(part, '\n'.join(found))


class Pages(Lint):
    def is_bad(self, text, line, part):
        item = lint.page_items(text)[0]
        self.assertEqual((item['kind'], item['line']), ('bad', line), text)
        self.assertIn(part, item['message'])

    def test_a_clause_is_read(self):
        text = '# toy\n\ntext\n- **toy.sum.value**: The sum (of two). (000, 004)\n'
        self.assertEqual(
            lint.page_items(text),
            [
                {
                    'kind': 'clause',
                    'line': 4,
                    'clause': 'toy.sum.value',
                    'sentence': 'The sum (of two).',
                    'sources': '000, 004',
                }
            ],
        )
        self.assertEqual(
            lint.page_items('- **toy.sum.value_2**: The sum. (assay)')[0]['sources'], 'assay'
        )

    def test_a_clause_has_one_form(self):
        for line in [
            '- **toy.sum**: It. (assay)',
            '- **toy.sum.value.more**: It. (assay)',
            '- **Toy.sum.value**: It. (assay)',
            '- **toy.sum.value_**: It. (assay)',
            '- **toy.sum.value** It. (assay)',
            '- **toy.sum.value**: It (assay)',
            '- **toy.sum.value**: It.',
            '- **toy.sum.value**:  It. (assay)',
            '- **toy.sum.value**: It  is. (assay)',
            '- **toy.sum.value**: It. (nobody)',
            '- **toy.sum.value**: It. (004, 000)',
            '- **toy.sum.value**: It. (00)',
            '- **toy.sum.value**: It. (000,004)',
            '- **toy.sum.value**: It. ()',
            '- **toy.sum.value**: It. (assay) ',
            'text **toy.sum.value** text',
            '- **toy.sum.value**: It.\x01 (assay)',
        ]:
            self.is_bad(line + '\n', 1, '')

    def test_a_vector_is_read(self):
        vector = (
            '```vector\nclause: toy.sum.value\ncase: toy n=1 fill=uniform seed=0\na: 1 2\nb:\n```\n'
        )
        self.assertEqual(
            lint.page_items(vector),
            [
                {
                    'kind': 'vector',
                    'line': 1,
                    'clause': 'toy.sum.value',
                    'case': 'toy n=1 fill=uniform seed=0',
                    'case_line': 3,
                    'operands': [('a', '1 2', 4), ('b', '', 5)],
                }
            ],
        )
        items = lint.page_items(OPENING + CASE + 'b:x\n```\n' + vector)
        self.assertEqual([(it['kind'], it['line']) for it in items], [('bad', 4), ('vector', 6)])

    def test_a_vector_has_one_form(self):
        for text, line, part in [
            ('```vector\n' + CASE + 'a: 1\n```\n', 2, 'first line'),
            ('```vector\nclause: toy.sum\n' + CASE + 'a: 1\n```\n', 2, 'first line'),
            (OPENING + 'a: 1\n' + CASE + '```\n', 3, 'second line'),
            (OPENING + 'case:\na: 1\n```\n', 3, 'second line'),
            (OPENING + CASE + '```\n', 1, 'its operands'),
            ('```vector\n```\n', 1, 'its operands'),
            (OPENING + CASE + 'a: 1\na: 1\n```\n', 5, 'twice'),
            (OPENING + CASE + 'a: 1\nb: 1\nc: 1\nd: 1\ne: 1\n```\n', 8, 'too many'),
            (OPENING + CASE + 'a: 1\t2\n```\n', 4, 'control'),
            *(
                (OPENING + CASE + line + '\n```\n', 4, 'key: values')
                for line in ('a:1', 'a:  1', 'a: 1 ', 'a: ', 'A: 1', '')
            ),
        ]:
            self.is_bad(text, line, part)

    def test_a_fence_has_one_form(self):
        for text in (
            '``` vector\na: 1\n```\n',
            '```Vector\n```\n',
            '```vectors\n```\n',
            ' ```vector\n```\n',
            '````vector\n````\n',
            '~~~vector\n~~~\n',
        ):
            self.is_bad(text, 1, 'fence')
        self.is_bad('text\n```text\nno end\n', 2, 'never ends')
        self.is_bad('```vector', 1, 'never ends')
        self.is_bad('text\n' + OPENING + CASE + 'a: 1\n', 2, 'never ends')
        items = lint.page_items(OPENING + CASE + 'a: 1\n- **toy.sum.other**: The other. (assay)\n')
        self.assertEqual([it['kind'] for it in items], ['bad', 'clause'])

    def test_vectors_become_a_table(self):
        with tempfile.TemporaryDirectory() as folder:
            page, table = pathlib.Path(folder) / 'toy.md', pathlib.Path(folder) / 'toy.c'
            page.write_text(PAGE + OPENING + CASE + 'a: 1 2\nb:\n```\n', encoding='utf-8')
            lint.write_vectors(str(table), str(page))
            self.assertIn(
                '{"spec/toy.md", 3, "toy", 5, 2, {{"a", "1 2", 6}, {"b", "", 7}}},',
                table.read_text(),
            )

    def test_pages_and_their_ids(self):
        self.finds(lint.check_pages, {'spec/toy.md': PAGE}, 0)
        self.finds(
            lint.check_pages,
            {'spec/toy.md': PAGE + '- **toy.sum.more**: No end (assay)\n'},
            1,
            'spec/toy.md:3: ',
        )
        self.finds(
            lint.check_pages, {'spec/toy.md': 'toy\n'}, 1, "spec/toy.md:1: a page's first line"
        )
        self.finds(lint.check_pages, {'spec/Toy.md': '# Toy\n'}, 1, 'name')
        self.finds(lint.check_pages, {'spec/README.md': PAGE}, 1, 'no page was found')
        self.finds(
            lint.check_pages,
            {'spec/toy.md': PAGE + '- **toy.sum.value**: Again. (assay)\n'},
            1,
            'spec/toy.md:3: toy.sum.value is already the id of line 2',
        )
        self.finds(
            lint.check_pages,
            {'spec/toy.md': PAGE + '- **game.sum.value**: Lost. (assay)\n'},
            1,
            'spec/toy.md:3: game.sum.value is in the page of another name',
        )


class Citations(Lint):
    def test_every_clause_is_cited(self):
        self.finds(lint.check_clauses_cited, {'spec/toy.md': PAGE, 'toy/test_t.c': TEST}, 0)
        self.finds(lint.check_clauses_cited, {'spec/toy.md': PAGE, 'toy/test/t.c': TEST}, 0)
        self.finds(
            lint.check_clauses_cited, {'spec/toy.md': PAGE + OPENING + CASE + 'a: 1\n```\n'}, 0
        )
        self.finds(
            lint.check_clauses_cited,
            {'spec/toy.md': PAGE},
            1,
            'spec/toy.md:2: no test cites toy.sum.value',
        )
        # A comment, a string, a file that is no test, or a longer id is no test's citation.
        for path, text in [
            ('toy/test_t.c', 'main(/* CLAUSE("toy.sum.value") */'),
            ('toy/test_t.c', 'main("toy.sum.value")'),
            ('toy/t.c', TEST),
            ('toy/test/t.c', 'CLAUSE("toy.sum.value")'),
            ('toy/test_t.c', 'main(CLAUSE("toy.sum.value_2"))'),
            ('toy/test_t.c', 'START_TEST(sum, "toy.sum.other") "toy.sum.value"'),
        ]:
            self.finds(lint.check_clauses_cited, {'spec/toy.md': PAGE, path: text}, 1)

    def test_what_is_cited_exists(self):
        for path, text, where in [
            (
                'toy/t.c',
                'int a;\n/* See\n * toy.sum.lost. */',
                'toy/t.c:3: toy.sum.lost is no clause',
            ),
            ('toy/t.h', '"toy.sum.lost"', 'toy/t.h:1: '),
            ('toy/t.cu', '// toy.sum.lost\n', 'toy/t.cu:1: '),
            ('README.md', 'toy.sum.lost', 'README.md:1: '),
            ('toy/test/t.sh', '#!/bin/sh\n# toy.sum.lost\n', 'toy/test/t.sh:2: '),
            (
                'toy/test_t.c',
                'CLAUSE("toj.sum.value")',
                'toy/test_t.c:1: clause "toj.sum.value" names no page',
            ),
            (
                'toy/test_t.c',
                'START_TEST(a, "toy.sum.value",\n "toj.sum.value")',
                'toy/test_t.c:2: clause "toj.sum.value" names no page',
            ),
        ]:
            self.finds(lint.check_citations_exist, {'spec/toy.md': PAGE, path: text}, 1, where)
        self.finds(
            lint.check_citations_exist,
            {'spec/toy.md': PAGE + 'See toy.sum.lost.\n'},
            1,
            'spec/toy.md:3: ',
        )
        # Members of a variable with a page's name are no citations.
        self.finds(
            lint.check_citations_exist, {'spec/toy.md': PAGE, 'toy/t.c': 'toy.sum.lost = 1;'}, 0
        )

    def test_every_link_leads_somewhere(self):
        page = '# Toy\n## Its `parts`, all\n[a](#its-parts-all) [b](../README.md#it) [c](https://x.y/z)\n'
        readme = {'README.md': '# It\n'}
        self.finds(lint.check_links, {'spec/toy.md': page, **readme}, 0)
        self.finds(lint.check_links, {'spec/toy.md': page}, 1, 'spec/toy.md:3: links to README.md')
        page = page.replace('#it)', '#that)')
        self.finds(
            lint.check_links, {'spec/toy.md': page, **readme}, 1, '#that, and README.md has no'
        )

    def test_ids_are_found_in_text(self):
        for text, ids in [
            ('see (toy.sum.value), toy.sum.other.', ['toy.sum.value', 'toy.sum.other']),
            ('*toy.sum.value* and `toy.sum.other_2`', ['toy.sum.value', 'toy.sum.other_2']),
            ('toy.sum.value: toy.sum.other;', ['toy.sum.value', 'toy.sum.other']),
            ('toy.sum and toy.sum.value.more toy.md driver.host.*', []),
            ('spec/toy.sum.value ->toy.sum.value x.toy.sum.value.more', []),
            ('toy.sum.value_ toy.sum.2 Toy.sum.value toy.sum.Value toy.sum.call()', []),
        ]:
            self.assertEqual([cited for _, cited in lint.ids_in(text)], ids, text)

    def test_comments_and_strings_are_told_apart(self):
        for text, found in [
            (
                'a // b "c"\nd /* e\n"f" */ g',
                [(1, 'comment', '// b "c"'), (2, 'comment', '/* e\n"f" */')],
            ),
            ('"a\\"b" \'"\' "//" \'\\\'\'', [(1, 'string', 'a\\"b'), (1, 'string', '//')]),
            ('a/b', []),
            ('"a\nb', [(1, 'string', 'a')]),
            ('/* *', [(1, 'comment', '/* *')]),
        ]:
            self.assertEqual(lint.pieces(text), found)

    def test_every_test_cites(self):
        self.finds(
            lint.check_tests_cite, {'toy/test_t.c': TEST, 'toy/test/t.c': 'int shared;\n'}, 0
        )
        self.finds(
            lint.check_tests_cite,
            {
                'toy/test_t.c': TEST
                + 'START_TEST(lost)\n{\n    CLAUSE("toy.sum.value");\n}\n'
            },
            1,
            'toy/test_t.c:4: test lost names no clause',
        )
        self.finds(
            lint.check_tests_cite,
            {'toy/test_t.c': 'int main(void)\n{\n}\n'},
            1,
            'toy/test_t.c:1: a test file that cites no clause',
        )
        self.finds(lint.check_tests_cite, {'toy/test_t.c': TEST + 'START_TEST'}, 1)
        self.finds(
            lint.check_tests_cite, {'toy/test/t.c': 'START_TEST(lost)\n{\n}\n'}, 2, 'test lost'
        )

    def test_scripts_cite_too(self):
        script = '#!/bin/sh\n# Tests.\n%s\n# more\n\n# toy.sum.value\n'
        for clauses, count in (
            ('# Clauses:\n# toy.sum.value.', 0),
            ('# Clauses: toy.sum.value.', 0),
            ('# None.', 1),
        ):
            tree = {'spec/toy.md': PAGE, 'toy/test/t.sh': script % clauses}
            self.finds(lint.check_clauses_cited, tree, count)
            self.finds(lint.check_tests_cite, tree, count)
        self.finds(lint.check_tests_cite, {'toy/test/t.sh': '#!/bin/sh\n# Clauses:'}, 1)

    def test_every_kernel_cites(self):
        for text in '/* Sums. */', '/* toy.sum.lost */':
            self.finds(
                lint.check_kernels_cite, {'spec/toy.md': PAGE, 'toy/t.cu': text}, 1, 'toy/t.cu:1: '
            )
        # A mutant implements no clause; its row names the one that it breaks.
        for path, text in [
            ('toy/t.cu', '/* Sums: toy.sum.value. */'),
            ('cuda/mutants/t.cu', ''),
            ('cuda/host/test_t.cu', ''),
        ]:
            self.finds(lint.check_kernels_cite, {'spec/toy.md': PAGE, path: text}, 0)

    def test_kernels_are_portable(self):
        named = 'struct t it = {1,\n.x = 2}; /* {.y = 1} */'
        self.finds(lint.check_kernels_portable, {'cuda/toy/t.cu': named}, 1, 'cuda/toy/t.cu:2: ')
        self.finds(lint.check_kernels_portable, {'cuda/toy/t.h': 'DEVICE ' + named}, 1)
        for path in ['cuda/toy/t.h', 'cuda/host/t.cu', 'cuda/t.c']:
            self.finds(lint.check_kernels_portable, {path: named}, 0)


class Rooms(Lint):
    def test_arrows_lead_downwards(self):
        tree = {
            'hall/main.c': include('hall/attic/a.h') + include('hall/made.h'),
            'hall/attic/a.h': include('b.h') + include('hall/cellar/c.h'),
            'hall/attic/b.h': '',
            'hall/cellar/c.h': include('well/w.h')
            + '#include <stdio.h>\n// #include "hall/attic/a.h"',
            'well/w.h': '',
            'well/test/t.c': include('hall/attic/a.h'),
            'well/test_t.c': include('hall/attic/a.h'),
        }
        self.finds(lint.check_arrows, {**tree, **ROOMS}, 0)
        self.finds(lint.check_cycles, tree, 0)
        for tree, part in [
            (
                {'hall/attic/a.h': '', 'hall/cellar/c.c': '\n' + include('hall/attic/a.h')},
                'hall/cellar/c.c:3: includes hall/attic/a.h: hall/attic lies above hall/cellar',
            ),
            ({'hall/cellar/c.c': include('hall/made.h')}, 'hall lies above hall/cellar'),
            (
                {'hall/cellar/c.c': include('../attic/a.h'), 'hall/attic/a.h': ''},
                'includes ../attic/a.h, which lies in no room',
            ),
            ({'cuda/device.h': '', 'yard/a.cu': include('device.h')}, 'cuda/device.h'),
            (
                {'hall/shed/s.c': include('well/w.h'), 'well/w.h': ''},
                'hall/shed/s.c:2: lies in no room',
            ),
            (
                {'well/w.c': include('well/test/t.h')},
                "well/w.c:2: includes a test's file, well/test/t.h",
            ),
        ]:
            self.finds(lint.check_arrows, {**tree, **ROOMS}, 1, part)

    def test_cycles(self):
        self.finds(
            lint.check_cycles,
            {
                'well/a.h': include('well/b.h'),
                'well/b.h': include('well/c.h'),
                'well/c.h': include('well/a.h'),
            },
            2,
            'well/c.h:2: includes well/a.h, which closes a cycle: well/a.h > well/b.h > well/c.h > well/a.h',
        )
        self.finds(
            lint.check_cycles,
            {
                'well/a.c': include('well/b.h'),
                'well/a.h': '',
                'well/b_internal.h': include('well/a.h'),
                'well/b.h': '',
            },
            1,
            'closes a cycle: well/a > well/b > well/a',
        )
        self.finds(
            lint.check_cycles,
            {
                'hall/attic/a.c': include('hall/cellar/c.h'),
                'hall/attic/b.h': '',
                'hall/cellar/c.h': '',
                'hall/cellar/d.c': include('hall/attic/b.h'),
            },
            1,
            'closes a cycle: hall/attic > hall/cellar > hall/attic',
        )
        # A module is no cycle, and tests close none.
        self.finds(
            lint.check_cycles,
            {
                'well/a.c': include('well/a_internal.h'),
                'well/a_internal.h': include('well/a.h'),
                'well/a.h': include('yard/b.h'),
                'yard/test/b.c': include('well/a.h'),
            },
            0,
        )

    def test_cycles_of_calls(self):
        def lines(*symbols):
            return '\n'.join('lib.a:lib.a.p/%s.c.o:%s %s %s' % it for it in symbols)

        down = [
            ('hall', '', 'U', 'yard_of'),
            ('yard', '0000', 'T', 'yard_of'),
            ('yard', '', 'U', 'wells'),
            ('well', '0000', 'R', 'wells'),
            ('well', '', 'U', 'memcpy'),
            ('well', '0000', 't', 'hall_of'),
        ]
        self.assertEqual(lint.call_cycles(lines(*down)), [])
        found = lint.call_cycles(
            lines(*down, ('well', '', 'U', 'hall_at'), ('hall', '0000', 'T', 'hall_at'))
        )
        self.assertEqual(
            found,
            [
                'well.c.o uses hall_at, which closes a cycle: '
                'hall.c.o > yard.c.o > well.c.o > hall.c.o'
            ],
        )

    def test_rooms_that_are_apart(self):
        apart = [('yard', 'well', 'why')]
        self.finds(
            lint.check_apart,
            {
                'yard/y.c': include('hall/h.h'),
                'hall/h.h': include('hall/i.h'),
                'hall/i.h': '',
                'well/w.c': include('hall/i.h'),
            },
            2,
            'hall/h.h:2: yard and well both reach hall/i.h',
            apart,
        )
        self.finds(
            lint.check_apart,
            {'yard/y.c': include('well/w.h'), 'well/w.h': ''},
            1,
            'yard/y.c:2: ',
            apart,
        )
        self.finds(
            lint.check_apart,
            {'well/w.c': include('yard/y.h'), 'yard/y.h': ''},
            1,
            'well/w.c:2: ',
            apart,
        )

    def test_numbers_are_written_by_one_function(self):
        for text in 'json_real(x);', 'json_pack("{s:s,"\n"s:f}", "a", b, "c", d);':
            self.finds(lint.check_numbers, {'well/w.c': '\n' + text}, 1, 'well/w.c:2: ')
            self.finds(lint.check_numbers, {'well/test/w.c': text}, 0)
        self.finds(
            lint.check_numbers, {'well/w.c': 'json_real_value(x); json_pack("{s:s}", "of", b);'}, 0
        )
        self.finds(lint.check_numbers, {'conformance/record/record_fields.c': 'json_real(x);'}, 0)

    def test_names(self):
        self.finds(
            lint.check_names,
            {
                'hall/x.c': '',
                'hall/x.h': '',
                'hall/a/call.h': '',
                'hall/b/call.h': '',
                'hall/a/x.cu': '',
                'hall/b/x.cu': '',
                'well/hall_x.c': '',
            },
            0,
        )
        self.finds(
            lint.check_names,
            {'hall/x.c': '', 'well/test/x.c': ''},
            1,
            'well/test/x.c:1: has the name of hall/x.c',
        )

    def test_the_table_of_rooms(self):
        head = HEAD + '| `hall/` | main |\n| `hall/attic/` | dust |\n'
        rest, wine = '| `yard/` | stones |\n| `well/` | water |\n', '| `hall/cellar/` | wine |\n'
        lived_in = {
            'hall/main.c': '',
            'hall/attic/a.c': '',
            'hall/cellar/c.c': '',
            'yard/y.c': '',
            'well/w.c': '',
        }
        for readme, count, part in [
            (head + wine + rest + '\nmore\n', 0, ''),
            (head + wine + rest + '| `moor/` | fog |', 1, 'no file lies in moor'),
            (head + wine + rest + wine, 2, 'hall/cellar is in the table of rooms twice'),
            (head + wine + rest + '| `moor` | fog |', 1, 'row 6 of the table of rooms must begin'),
            (head + wine + '| `yard/` | |\n', 1, 'row 4 of the table of rooms must begin'),
            ('# x\n', 1, 'has no table of rooms'),
        ]:
            self.finds(lint.check_rooms_table, {'CONTRIBUTING.md': readme, **lived_in}, count, part)
        del lived_in['hall/cellar/c.c']
        self.finds(
            lint.check_rooms_table,
            {'CONTRIBUTING.md': head + wine + rest, **lived_in},
            1,
            'no file lies in hall/cellar',
        )

    def test_rooms_that_are_below_others(self):
        rows = {'well': '| `well/` | water |\n', 'yard': '| `yard/` | a yard |\n'}
        for order, count in (('yard', 'well'), 0), (('well', 'yard'), 1):
            table = '# a\n\n| room | contents |\n|---|---|\n' + ''.join(rows[it] for it in order)
            self.finds(
                lint.check_rooms_table,
                {'CONTRIBUTING.md': table, 'well/w.c': '', 'yard/y.c': ''},
                count,
                'well must be below yard: why' if count else '',
                [('well', ['yard', 'hall'], 'why')],
            )

    def test_what_a_header_declares_is_used(self):
        header = 'int well_depth(void);\nextern int well_count;\n#define WELL well_count\nstatic int own(void);\n'
        defined = 'int well_depth(void) { return 0; }\nint well_count;\n'
        self.finds(
            lint.check_declarations,
            {'well/w.h': header, 'well/w.c': defined},
            1,
            'well_depth is named by one source alone',
        )
        self.finds(
            lint.check_declarations,
            {'well/w.h': header, 'well/w.c': defined, 'yard/y.c': 'well_depth();'},
            0,
        )
        self.finds(
            lint.check_declarations,
            {'well/w.h': header, 'well/w.c': defined, 'yard/y.c': '/* well_depth */'},
            1,
        )


class Headers(unittest.TestCase):
    def test_a_header_that_does_not_compile_alone_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for room in 'spec', 'cpu_ref', 'fuzz', 'conformance', 'cuda/host':
                (root / room).mkdir(parents=True)
            (root / 'cuda/host/emulation.h').write_text('')
            (root / 'compile_commands.json').write_text('[{\n "file": "spec/b.c"\n}]')
            (root / 'spec/a.h').write_text('size_t a(void);\n')
            (root / 'spec/b.h').write_text('size_t b(void);\n')
            (root / 'spec/b.c').write_text(
                '/* First. */\n#include "spec/b.h"\n'
            )  # its own compilation shows it
            said = []
            original, lint.tap = lint.tap, lambda results: said.extend(results)
            self.addCleanup(setattr, lint, 'tap', original)
            lint.check_headers(str(root), str(root / 'compile_commands.json'), 'cc', '-std=c11')
            self.assertIn('size_t', said[0][0][0])
            self.assertNotIn('b.h', said[0][0][0])
            self.assertEqual(said[1][0], [])


if __name__ == '__main__':
    unittest.main()
