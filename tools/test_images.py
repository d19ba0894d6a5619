#!/usr/bin/env python3
# What is compiled, and how it gets into the program (images.py): what the round trips of
# cuda/test_embed.c and cuda/test_unit_file.c do not see.
# Clauses: driver.images.version, driver.images.whole, driver.images.file, driver.texts.whole,
# driver.path.ptx.
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import images


class Versions(unittest.TestCase):
    def test_a_text_needs_what_is_in_it(self):
        for version, text in [
            (60, ''),
            (63, '.version 9.0\n.target sm_75\n'),
            (
                78,
                '// it\n.version 9.0\n.target sm_90\n.address_size 64\n.visible .entry f(.param .u64 a)',
            ),
            (86, '.target sm_100'),
            (None, '.target sm_90a'),
            (None, '.target sm_999'),
            (60, '{ .reg .b32 %r<9>; add.s32 %r1, %r2, 7; @%p1 bra $L; $L: ret; }'),
            (60, '@!%p1 mov.u32 %r1, %tid.x;'),
            (None, 'mov.u32 %r1, %clusterid.x;'),
            (62, 'activemask.b32 %r1;'),
            (70, 'cp.async.ca.shared.global [%r1], [%rd1], 16;'),
            (None, 'cp.async.ca.shared.global.L2::128B [%r1], [%rd1], 16;'),
            (80, '$L__BB0_2: fence.proxy.async.shared::cta;'),
            (80, 'mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], %r2;'),
            (78, 'mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], %r2;'),
            (81, 'st.async.b32 [%r1], %r2;'),
            (60, 'ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];'),
            (88, 'ld.global.v4.b64 {%rd1, %rd2, %rd3, %rd4}, [%rd5];'),
            (None, 'add.rn.f32x2 %rd1, %rd2, %rd3;'),
            (None, 'wgmma.fence.sync.aligned;'),
            (None, '.maxclusterrank 4'),
            (60, '.pragma "nounroll; wgmma"; // wgmma\n/* tcgen05.ld */ ret;'),
        ]:
            self.assertEqual(images.version_needed(text), version, text)

    def test_a_version_is_lowered_and_never_raised(self):
        for text, lowered in [
            ('.version 9.0\n.target sm_90\n', '.version 7.8\n.target sm_90\n'),
            ('.version 7.0\n.target sm_90\n', '.version 7.0\n.target sm_90\n'),
            ('.version 9.0\n.target sm_90a\n', '.version 9.0\n.target sm_90a\n'),
            ('.version 10.0\n.target sm_90\n', '.version 10.0\n.target sm_90\n'),
            ('.target sm_90\n', '.target sm_90\n'),
            ('.version ', '.version '),
            ('', ''),
        ]:
            self.assertEqual(images.lowered(text), lowered)


class Plan(unittest.TestCase):
    TABLES = (
        'KERNEL(a, plain, "x",\n    .block = {1})\nKERNEL(a, late, "x",\n    .needs_compute = 90)\n',
        '/* MUTANT(algorithm, ...) */\nMUTANT(a, one, wrong, ELEMENTS, ANY)\n'
        'MUTANT(a, two, wrong, ELEMENTS, ANY)\nMUTANT(a, three, late, BULK_COPY, ANY)\n',
    )

    def test_a_unit_for_each_file(self):
        self.assertEqual(
            [(it.name, it.file, it.needs, it.is_mutant) for it in images.units(*self.TABLES)],
            [
                ('a_plain', 'a/plain.cu', 0, False),
                ('a_late', 'a/late.cu', 90, False),
                ('harness_scrub', 'harness/scrub.cu', 0, False),
                ('harness_range', 'harness/range.cu', 0, False),
                ('mutants_wrong', 'mutants/wrong.cu', 0, True),
                ('mutants_late', 'mutants/late.cu', 90, True),
            ],
        )

    def test_ptx_of_the_lowest_and_of_each_major_number(self):
        plain, late, *_, mutant, late_mutant = images.units(*self.TABLES)
        fatbin, ptx = images.compilations(plain, [80, 86, 90], 75)
        self.assertEqual(
            fatbin,
            [
                '-gencode=arch=compute_80,code=sm_80',
                '-gencode=arch=compute_80,code=sm_86',
                '-gencode=arch=compute_90,code=sm_90',
            ],
        )
        self.assertEqual(
            ptx,
            {
                75: ['-arch=compute_75', '-DASSAY_NOTES_SMS'],
                80: ['-arch=compute_80'],
                90: ['-arch=compute_90'],
            },
        )
        # The lowest that the unit knows, where a kernel notes its SMs.
        self.assertEqual(
            images.compilations(late, [80, 100], 75)[1],
            {90: ['-arch=compute_90', '-DASSAY_NOTES_SMS'], 100: ['-arch=compute_100']},
        )
        self.assertEqual(images.compilations(late, [80, 90], 75)[1], {90: ['-arch=compute_90']})
        self.assertEqual(images.compilations(late, [75, 80], 75)[1], {90: ['-arch=compute_90']})
        self.assertEqual(
            images.compilations(mutant, [80, 90], 75),
            (
                ['-gencode=arch=compute_75,code=sm_80', '-gencode=arch=compute_75,code=sm_90'],
                {75: ['-arch=compute_75']},
            ),
        )
        self.assertEqual(
            images.compilations(late_mutant, [80, 90, 100], 75)[1], {90: ['-arch=compute_90']}
        )


class Files(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)

    def refuses(self, why, call, *words):
        with self.assertRaisesRegex(images.Refused, why):
            call(*words)

    def test_failure_leaves_no_file(self):
        output = self.folder / 'images.c'
        for words in (
            ['unit', 'a', str(self.folder / 'none')],
            ['ptx', '75', __file__],
            ['other', '75', __file__],
            [],
        ):
            self.refuses('', lambda: images.embed(str(output), '', '', images.parts(words)))
            self.assertFalse(output.exists())
        self.refuses(
            'No such file',
            images.embed,
            str(self.folder / 'none/images.c'),
            '',
            '',
            [('a', None, [])],
        )

    def test_what_assay_would_refuse_is_not_written(self):
        fatbin = self.folder / 'fatbin'
        fatbin.write_bytes(bytes([0x50, 0xED, 0x55, 0xBA, 1, 0, 16, 0, 8]) + bytes(15))
        good = ['13.5.37', '13.5.37', '80 90', '-O', '0x0123456789abcdef']
        output = self.folder / 'made'
        images.write_unit_file(str(output), good, [('a', str(fatbin), [])])
        output.unlink()
        for at, text in (0, 'a/b'), (0, 'x' * 21), (1, 'new'), (2, 'ninety'), (3, 'a\nb'), (4, ''):
            texts = good[:at] + [text] + good[at + 1 :]
            self.refuses(
                'cannot be a text',
                images.write_unit_file,
                str(output),
                texts,
                [('a', str(fatbin), [])],
            )
        self.refuses(
            'cannot be a text', images.write_unit_file, str(output), good, [('A', str(fatbin), [])]
        )
        self.refuses('no fatbin', images.write_unit_file, str(output), good, [('a', __file__, [])])
        self.assertFalse(output.exists())

    def test_what_a_text_cannot_hold_is_refused(self):
        for unit, beside, is_good in [
            ('#include "common.h"\n', None, True),
            ('#include <stdint.h>\n', None, False),
            ('  # include <stdint.h>\n', None, False),
            ('#include "missing.h"\n', None, False),
            ('// \u00e4\n', None, False),
            ('#include "common.h"\n', 'int hides;\n', False),
            ('#include "part/one.cu"\n', None, False),
        ]:
            (self.folder / 'part').mkdir(exist_ok=True)
            (self.folder / 'part/common.h').unlink(missing_ok=True)
            (self.folder / 'part/one.cu').write_text(unit, encoding='utf-8')
            (self.folder / 'common.h').write_text('int common;\n', encoding='utf-8')
            if beside:
                (self.folder / 'part/common.h').write_text(beside, encoding='utf-8')
            named = [('part_one', 'part/one.cu', 90)]
            if is_good:
                texts, _, read = images.kernel_texts(str(self.folder), named)
                self.assertIn('int common;\n#line 2 "part/one.cu"\n', texts[0][2])
                self.assertIn(str(self.folder / 'common.h'), read)
            else:
                self.refuses('part/one.cu|missing.h', images.kernel_texts, str(self.folder), named)

    def test_none_starts_after_the_end(self):
        self.addCleanup(setattr, images, 'ended', False)
        marker = self.folder / 'started'
        images.run_nvcc(['touch', str(marker)], 'a.cu')
        marker.unlink()
        images.end_compilers()
        self.refuses('interrupted', images.run_nvcc, ['touch', str(marker)], 'a.cu')
        self.assertFalse(marker.exists())


if __name__ == '__main__':
    unittest.main()
