#!/usr/bin/env python3
# Budgets of machine code, made from lines of a record (make_budgets.py).
# Clauses: codegen.budget.registers, codegen.budget.provenance.
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import make_budgets

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


if __name__ == '__main__':
    unittest.main()
