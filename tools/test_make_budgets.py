#!/usr/bin/env python3
# Budgets of machine code, made from lines of a record (make_budgets.py).
# Clauses: codegen.budget.registers, codegen.budget.provenance, codegen.budget.merged.
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import make_budgets

TOOL = pathlib.Path(make_budgets.__file__)
SHIPPED = TOOL.parents[1] / 'spec' / 'codegen_budgets.json'
HEADER = json.dumps({'record': 'assay', 'toolkit': '13.0.88', 'started': '2026-11-22T10:00:00Z'})


def line(**fields):
    row = {'device': 'sm_90', 'kernel': 'matmul/naive', 'function': 'matmul_naive', 'registers': 30}
    return json.dumps(
        {'codegen': {**row, 'local_bytes': 0, 'shared_bytes': 16, 'code_bytes': 400, **fields}}
    )


class Budgets(unittest.TestCase):
    def test_registers_are_free_until_a_block_is_lost(self):
        for measured, threads, blocks, most in (
            (8, 256, 8, 32),
            (32, 256, 8, 32),
            (33, 256, 6, 40),
            (8, 1024, 2, 32),
            (33, 1024, 1, 64),
        ):
            occupancy = {'threads': threads, 'blocks': blocks}
            self.assertEqual(make_budgets.registers(measured, occupancy), most)
        self.assertEqual(make_budgets.registers(40, None), 40)

    def test_a_file_names_its_toolkit_and_date(self):
        made = json.loads(make_budgets.make([HEADER, line(), line(device='sm_75')], []))
        self.assertEqual((made['toolkit'], made['date']), ('13.0.88', '2026-11-22'))
        self.assertEqual([each['architecture'] for each in made['architectures']], [90, 75])
        self.assertEqual(made['architectures'][0]['functions'][0]['code_bytes'], 1112)

    def test_what_makes_no_budgets(self):
        for lines, why in (
            ([HEADER], 'no lines'),
            ([line(device='cuda:0')], 'on a device'),
            ([line(kernel='mutant/bias')], 'mutant'),
            ([line(registers=0)], 'without figures'),
            ([line(local_bytes=8)], 'spills'),
        ):
            with self.assertRaisesRegex(ValueError, why):
                make_budgets.make(lines, [])
        self.assertIn('"local_bytes": 8', make_budgets.make([line(local_bytes=8)], ['matmul/naive']))


def header(*kernels, toolkit='13.0.88', started='2026-12-24T10:00:00Z'):
    fields = {'record': 'assay', 'toolkit': toolkit, 'started': started, 'kernels': kernels}
    return json.dumps(fields)


def rows(text):
    """The file's rows: (architecture, function, measured registers)."""
    return [
        (each['architecture'], row['function'], row['measured']['registers'])
        for each in json.loads(text)['architectures']
        for row in each['functions']
    ]


class Merge(unittest.TestCase):
    def setUp(self):
        copy = {'kernel': 'offset_copy/scalar'}
        self.lines = [
            line(),
            line(function='scalar_1', **copy),
            line(function='scalar_2', **copy),
            line(kernel='aat/naive', function='aat_naive'),
        ]
        lines = [HEADER, *(each.replace('sm_90', 'sm_75') for each in self.lines), *self.lines]
        self.old = json.loads(make_budgets.make(lines, []))
        self.kernels = ('matmul/naive', 'offset_copy/scalar', 'aat/naive')

    def merge(self, *lines, known=None):
        return make_budgets.make(lines, [], self.old, known or self.kernels)

    def test_rows_that_the_record_lacks_stay(self):
        text = self.merge(header('matmul/naive'), line(registers=31))
        kept = [row for row in rows(json.dumps(self.old)) if row != (90, 'matmul_naive', 30)]
        self.assertEqual(rows(text), kept[:4] + [(90, 'matmul_naive', 31)] + kept[4:])
        self.assertEqual(json.loads(text)['date'], '2026-12-24')

    def test_the_same_figures_give_the_same_file(self):
        text = self.merge(header(*self.kernels), *self.lines)
        self.assertEqual(json.loads(text), {**self.old, 'date': '2026-12-24'})

    def test_a_new_architecture_takes_its_place(self):
        text = self.merge(header('matmul/naive'), line(device='sm_80'), line(device='sm_100'))
        numbers = [each['architecture'] for each in json.loads(text)['architectures']]
        self.assertEqual(numbers, [75, 80, 90, 100])

    def test_a_new_function_takes_its_place(self):
        lines = [*self.lines[:2], line(function='scalar_3', kernel='offset_copy/scalar')]
        text = self.merge(header(*self.kernels), *lines, *self.lines[2:])
        functions = [function for number, function, _ in rows(text) if number == 90]
        self.assertEqual(functions, ['matmul_naive', 'scalar_1', 'scalar_3', 'scalar_2', 'aat_naive'])

    def test_a_function_that_is_gone_goes_where_it_was_measured(self):
        text = self.merge(header('offset_copy/scalar'), self.lines[1])
        gone = (90, 'scalar_2', 30)
        self.assertEqual(rows(text), [row for row in rows(json.dumps(self.old)) if row != gone])

    def test_a_kernel_that_is_gone_leaves_no_row(self):
        # The program refuses a budget of an unknown kernel, whatever its architecture.
        text = self.merge(header('matmul/naive'), line(), known=('matmul/naive', 'aat/naive'))
        functions = ['matmul_naive', 'aat_naive']
        self.assertEqual([row[1] for row in rows(text)], functions * 2)

    def test_rows_of_another_toolkit_are_not_mixed(self):
        other = header(*self.kernels, toolkit='13.5.37')
        with self.assertRaisesRegex(ValueError, 'sm_75 of toolkit 13.0.88'):
            self.merge(other, *self.lines)
        lines = [each.replace('sm_90', 'sm_75') for each in self.lines] + self.lines
        self.assertEqual(json.loads(self.merge(other, *lines))['toolkit'], '13.5.37')

    def test_a_default_build_leaves_the_shipped_budgets_of_other_architectures(self):
        with tempfile.TemporaryDirectory() as folder:
            budgets, record = pathlib.Path(folder) / 'b.json', pathlib.Path(folder) / 'r.json'
            budgets.write_bytes(SHIPPED.read_bytes())
            toolkit = json.loads(SHIPPED.read_text())['toolkit']
            record.write_text(header('matmul/naive', toolkit=toolkit) + '\n' + line(registers=31))
            command = [sys.executable, TOOL, '--into', budgets, record]
            said = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual((said.returncode, said.stdout, said.stderr), (0, '', ''))
            before, after = (each.read_text().splitlines() for each in (SHIPPED, budgets))
            self.assertEqual(len(before), len(after))
            changed = [new for old, new in zip(before, after) if old != new]
            self.assertEqual(len(changed), 2)  # the date and the function
            record.write_text('{}')
            kept = budgets.read_bytes()
            self.assertEqual(subprocess.run(command, capture_output=True).returncode, 2)
            self.assertEqual(budgets.read_bytes(), kept)


if __name__ == '__main__':
    unittest.main()
