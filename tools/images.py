"""What is compiled of which kernel file, how, and how the results get into the program.

The one place that says so. The build asks it (cuda/meson.build):

    images.py list KERNELS MUTANTS [NVCC [ARCHITECTURE...]]
    images.py compile NVCC SOURCE DEPFILE NEEDS ARCHITECTURES LOWEST FATBIN [PTX...]
    images.py embed OUTPUT TOOLKIT ARCHITECTURES [unit NAME FATBIN [ptx CAPABILITY PTX]...]...
    images.py texts OUTPUT DEPFILE FOLDER [unit NAME FILE NEEDS]...
    images.py unit-file OUTPUT NAME TOOLKIT ARCHITECTURES OPTIONS SOURCES [unit ...]...
    images.py sources FOLDER KERNELS MUTANTS

and make_images imports it. Every function raises Refused with one line for the user.
"""

import hashlib
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading

# nvcc's defaults, named explicitly: the bits depend on them (numerics.contraction.none). C++14 has
# the shortest headers.
OPTIONS = ['-std=c++14', '-fmad=true', '-ftz=false', '-prec-div=true', '-prec-sqrt=true']
HARNESS = ['scrub', 'range']


class Refused(Exception):
    """Says in one line what is wrong and what to do."""


class Unit:
    """A kernel file: matmul/tiled.cu is the unit matmul_tiled."""

    def __init__(self, stem, needs):
        self.file = stem + '.cu'
        self.name = stem.replace('/', '_')
        self.needs = needs  # compute capability of its instructions: 80 for 8.0, or 0
        self.is_mutant = stem.startswith('mutants/')


def units(kernels_def, mutants_def):
    """The units, in the order of the tables: kernels.def, the harness, mutants.def."""
    found = []
    for row in re.split(r'^KERNEL\(', kernels_def, flags=re.M)[1:]:
        algorithm, name = re.match(r'\s*(\w+)\s*,\s*(\w+)', row).groups()
        needs = re.search(r'\.needs_compute = (\d+)', row)
        found.append(Unit('%s/%s' % (algorithm, name), int(needs.group(1)) if needs else 0))
    found += [Unit('harness/' + name, 0) for name in HARNESS]
    seen = set()
    for row in re.split(r'^MUTANT\(', mutants_def, flags=re.M)[1:]:
        file, layout = re.match(r'[^,]*,[^,]*,\s*(\w+)\s*,\s*(\w+)', row).groups()
        if file not in seen:
            seen.add(file)
            # The row's layout says what the file needs, as cuda/mutants/mutants.c has it.
            needs = {'ASYNC': 80, 'STAGED': 80, 'BULK': 90}.get(layout.split('_')[0], 0)
            found.append(Unit('mutants/' + file, needs))
    return found


def ask(nvcc, *words):
    try:
        return subprocess.run([nvcc, *words], check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise Refused('%s: %s' % (nvcc, error)) from None


def toolkit_of(nvcc):
    version = re.search(r', V([0-9.]+)', ask(nvcc, '--version'))
    if version is None:
        raise Refused('%s is not an nvcc: unexpected --version output' % nvcc)
    return version.group(1)


def gpus_here():
    """The architectures of the GPUs in this machine, as nvidia-smi names them."""
    try:
        said = subprocess.run(
            ['nvidia-smi', '--query-gpu=compute_cap', '--format=csv,noheader'],
            capture_output=True,
            text=True,
            timeout=30,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return set()
    return {int(major + minor) for major, minor in re.findall(r'^(\d+)\.(\d)$', said, re.M)}


def architectures_of(nvcc, wanted):
    """Those to compile for, ascending, and the lowest that the toolkit compiles.

    `wanted` has numbers or 'all'; empty, it stands for the GPUs in this machine, and where there is
    none for 90.
    """
    known = sorted(
        int(number) for number in re.findall(r'^sm_(\d+)$', ask(nvcc, '--list-gpu-code'), re.M)
    )
    if not wanted:
        chosen = gpus_here() & set(known) or {90} & set(known) or set(known[:1])
    elif 'all' in wanted:
        chosen = known
    else:
        chosen = {int(word) for word in wanted if word.isdigit() and int(word) in known}
    for word in wanted:
        if word != 'all' and not (word.isdigit() and int(word) in known):
            raise Refused(
                'architecture %s: %s compiles %s, or "all"'
                % (word, nvcc, ' '.join(map(str, known)))
            )
    return sorted(chosen), known[0]


def compilations(unit, archs, lowest):
    """The nvcc options of the fatbin, and of each PTX in ascending order: {capability: options}.

    Architectures of one major number share the front end's work, at the lowest of them, which halves
    the build's time; of mutants all share it. Each has machine code of its own all the same. The
    fatbin has no PTX, so it cannot turn into the driver's JIT in silence. PTX is made for the lowest
    architecture that toolkit and unit know and for the lowest of each major number; of mutants for the
    lowest alone, as no compiler's faults are looked for in them. The lowest of several notes SMs
    (device.h). For an architecture before the one that the unit needs its code is a trap.
    """
    majors, front = [], {}
    for arch in archs:
        if not majors or arch // 10 != majors[-1] // 10:
            majors.append(arch)
        front[arch] = majors[-1]
    if unit.is_mutant and unit.needs == 0:
        front = {arch: lowest for arch in archs}
    least = max(lowest, unit.needs)
    capabilities = sorted({least, *(major for major in majors if major >= least)})
    if unit.is_mutant:
        del capabilities[1:]
    ptx = {capability: ['-arch=compute_%d' % capability] for capability in capabilities}
    if len(capabilities) > 1:
        ptx[capabilities[0]].append('-DASSAY_NOTES_SMS')
    fatbin = ['-gencode=arch=compute_%d,code=sm_%d' % (front[arch], arch) for arch in archs]
    return fatbin, ptx


running = set()  # compilers at work, each with what it started in a process group of its own
starting = threading.RLock()
ended = False  # no further one starts


def end_compilers():
    global ended
    with starting:  # one that a thread just started is among them
        ended = True
    for compiler in list(running):
        try:
            os.killpg(compiler.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def run_nvcc(command, source):
    with starting:
        if ended:
            raise Refused('%s: not compiled: interrupted' % source)
        compiler = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        running.add(compiler)
    try:
        said = compiler.communicate()[0]
    except BaseException:
        end_compilers()
        raise
    finally:
        running.discard(compiler)
    if compiler.returncode != 0:
        raise Refused(
            '%s: %s ended with status %d:\n%s' % (source, command[0], compiler.returncode, said)
        )
    sys.stderr.write(said)


def compile_unit(nvcc, folder, unit, archs, lowest, fatbin_path, ptx_paths, more=()):
    """Compiles one unit; PTX that the machine code comes from is kept, and not made twice.

    PTX is written with the lowest version of the language that it needs. Returns the files that the
    compiler read.
    """
    fatbin, ptx = compilations(unit, archs, lowest)
    source = str(pathlib.Path(folder) / unit.file)
    read = []
    with tempfile.TemporaryDirectory() as scratch:

        def run(kind, options, output):
            depfile = os.path.join(scratch, 'd')
            run_nvcc(
                [
                    nvcc,
                    kind,
                    *options,
                    *OPTIONS,
                    *more,
                    '-I',
                    str(folder),
                    '-MD',
                    '-MF',
                    depfile,
                    '-o',
                    output,
                    source,
                ],
                source,
            )
            text = pathlib.Path(depfile).read_text(encoding='utf-8').replace('\\\n', ' ')
            read.extend(text.partition(' : ')[2].split() or text.partition(':')[2].split())

        run('-fatbin', [*fatbin, '--keep', '--keep-dir', scratch], fatbin_path)
        kept = {}
        for path in pathlib.Path(scratch).glob('*.ptx'):
            target = re.search(r'^\.target sm_(\d+)', path.read_text(encoding='utf-8'), re.M)
            kept[int(target.group(1))] = path
        for (capability, options), output in zip(ptx.items(), ptx_paths, strict=True):
            if len(options) == 1 and capability in kept:
                shutil.copyfile(kept[capability], output)
            else:
                run('-ptx', options, output)
            text = pathlib.Path(output).read_text(encoding='utf-8')
            pathlib.Path(output).write_text(lowered(text), encoding='utf-8')
    return sorted(set(read))


# Which version of PTX has what: from the "PTX ISA Notes" of NVIDIA's PTX ISA and its table of
# targets. Only what the kernels use is here; anything else is unknown, on purpose.
OLDEST = 60
TARGETS = {
    60: 'sm_70',
    63: 'sm_75',
    70: 'sm_80',
    71: 'sm_86',
    74: 'sm_87',
    78: 'sm_89 sm_90',
    86: 'sm_100',
    87: 'sm_120',
    88: 'sm_103 sm_121',
    90: 'sm_110',
}
DIRECTIVES = {
    OLDEST: '.version .target .address_size .visible .extern .weak .entry .func .param .ptr .reg .shared '
    '.const .global .local .align .pragma .maxntid .minnctapersm .maxnreg .pred .b8 .b16 '
    '.b32 .b64 .u8 .u16 .u32 .u64 .s8 .s16 .s32 .s64 .f32 .f64 .loc .file'
}
OPERATIONS = {  # without what follows the first dot; a fence without a proxy is of 6.0, and counted as later
    OLDEST: 'abs add addc and atom bar bfe bfi bfind bra brev call clz cnot copysign cos cvt cvta div '
    'ex2 exit fma ld lg2 lop3 mad madc max membar min mov mul mul24 neg not or popc prmt rcp '
    'rem ret rsqrt sad selp set setp shf shfl shl shr sin slct sqrt st sub subc tex testp '
    'trap vote xor',
    62: 'activemask',
    70: 'cp mbarrier',
    75: 'fence',
}
MODIFIERS = {  # after a dot
    OLDEST: 'pred b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64 rn rz rm rp rni rzi rmi rpi '
    'ftz sat approx full lo hi wide cc to global shared local const param volatile nc v2 v4 '
    'eq ne lt le gt ge lo ls hi hs ltu leu gtu geu equ neu num nan uni sync warp up down bfly '
    'idx all any ballot ca cg cs cv lu wb wt l r wrap clamp 1d 2d a1d gl sys add exch cas inc '
    'dec min max and or xor',
    70: 'async commit_group wait_group wait_all init inval arrive test_wait',
    71: 'parity',
    75: 'proxy',
    78: 'cta try_wait shared::cta shared::cluster',
    80: 'expect_tx bulk mbarrier::complete_tx::bytes',
}
REGISTERS = {  # that no .reg declares
    OLDEST: 'tid ntid ctaid nctaid laneid warpid nwarpid smid nsmid clock clock64 globaltimer '
    'lanemask_eq lanemask_lt lanemask_le lanemask_gt lanemask_ge'
}
DECLARED = re.compile(r'(p|r|rd|rs|f|fd|SP|SPL|tmp)\d*$')  # as nvcc declares them
# Operations and modifiers that are older one by one than together.
TOGETHER = [
    (80, r'fence(?=\.).*\.async'),
    (81, r'st(?=\.).*\.async'),
    (88, r'(ld|st)\..*\.v4.*64'),
    (78, r'bar\..*\.cta'),
]
TOKEN = re.compile(
    r'//[^\n]*|/\*.*?(?:\*/|\Z)|"[^"]*"?|@!*[\w.$%]*|(?P<label>[\w.$%]+):(?!:)|'
    r'(?P<word>[\w.$%:]+)|(?P<end>[;{}])|.',
    re.S,
)


def version_in(table, word):
    return next((version for version, words in table.items() if word in words.split()), None)


def version_needed(text):
    """The lowest version of PTX that has all that is in the text, as 78 for 7.8; None if unknown."""
    needed, begins, is_target = OLDEST, True, False
    for token in TOKEN.finditer(text):
        word = token.group('word')
        if token.group('end') or token.group('label'):
            begins = True
        if word is None or word[0].isdigit():
            continue
        if word[0] == '%':
            register = word[1:].split('.')[0]
            versions = [OLDEST if DECLARED.match(register) else version_in(REGISTERS, register)]
        elif word[0] == '.':
            versions = [version_in(DIRECTIVES, word)]
        elif is_target:
            versions = [version_in(TARGETS, word)]
        elif begins:
            operation, *modifiers = word.split('.')
            versions = [
                version_in(OPERATIONS, operation),
                *(version_in(MODIFIERS, it) for it in modifiers),
                *(version for version, pattern in TOGETHER if re.match(pattern, word)),
            ]
        else:
            versions = []
        if None in versions:
            return None
        needed, begins, is_target = max([needed, *versions]), False, word == '.target'
    return needed


def lowered(text):
    """The PTX with the lowest version that it needs; unchanged where that is unknown or higher."""
    found = re.search(r'\.version (\d)\.(\d)(?!\d)', text)
    needed = version_needed(text) if found else None
    if needed is None or needed >= int(found.group(1) + found.group(2)):
        return text
    return '%s.version %d.%d%s' % (
        text[: found.start()],
        needed // 10,
        needed % 10,
        text[found.end() :],
    )


def parts(words):
    """Words as `embed` takes them: [(unit's name, fatbin or None, [(capability, PTX)...])...]."""
    found = []
    for at in range(0, len(words), 3):
        kind, name, path = (words[at : at + 3] + [None, None])[:3]
        if kind == 'unit' and path:
            found.append((name, None if path == '-' else path, []))
        elif kind == 'ptx' and path and path != '-' and found:
            found[-1][2].append((int(name), path))
        else:
            raise Refused('%s: expected unit NAME FATBIN or ptx CAPABILITY PTX' % kind)
    if not found:
        raise Refused('no unit is named')
    return found


def c_string(text):
    """'?' is escaped, too, as two of them may start a trigraph."""
    return '"%s"' % re.sub(r'(["\\?])', r'\\\1', text).replace('\n', '\\n')


def write_whole(path, data):
    """Half a file must not pass for one."""
    part = '%s.%d' % (path, os.getpid())
    try:
        with open(part, 'wb') as file:
            file.write(data)
        os.replace(part, path)
    except OSError as error:
        if os.path.exists(part):
            os.remove(part)
        raise Refused('%s: %s' % (path, error.strerror)) from None


def embed(output, toolkit, architectures, units_made):
    """The C source of the table images[] (cuda/image.h). The assembler takes the files as they are.

    A fatbin is read as 64-bit words; the final 0 counts in a PTX text, which is handed over with it,
    and not in a fatbin. The build makes this source again when one of the files changes, so that
    .incbin never has an old one.
    """
    lines = ['/* Written by images.py; do not edit. */', '#include "cuda/image.h"', '']
    rows = []
    count = 0

    def put_file(path):
        nonlocal count
        count += 1
        if not os.path.isfile(path):
            raise Refused('%s: no such file' % path)
        lines.append(
            '__asm__(".section .rodata\\n.balign 16\\nassay_image_%d: .incbin " %s "\\n"\n        '
            '".byte 0\\n.previous\\n");' % (count, c_string(c_string(os.path.abspath(path))))
        )
        lines.append('extern const unsigned char assay_image_%d[];' % count)
        return 'assay_image_%d' % count, os.path.getsize(path)

    for index, (name, fatbin, texts) in enumerate(units_made):
        row = '    {.unit = "%s"' % name
        if fatbin:
            row += ', .fatbin = %s, .fatbin_bytes = %d' % put_file(fatbin)
        ptx = [
            '    {%d, %s, %d},' % (capability, *(lambda it: (it[0], it[1] + 1))(put_file(path)))
            for capability, path in texts
        ]
        if ptx:
            lines += ['static const struct image_ptx ptx_%d[] = {' % index, *ptx, '};']
            row += ', .ptx = ptx_%d, .ptx_count = %d' % (index, len(ptx))
        rows.append(row + '},')
    lines += [
        '',
        'const struct image images[] = {',
        *rows,
        '};',
        'const int image_count = %d;' % len(rows),
        'const char *const image_toolkit = "%s";' % toolkit,
        'const char *const image_architectures = "%s";' % architectures,
    ]
    write_whole(output, ('\n'.join(lines) + '\n').encode())


def expand(folder, name, read, includers=()):
    """The file's lines, an #include replaced by what it includes, as the preprocessor does it.

    What such a text cannot hold is refused: a header of the system, which NVRTC has not, and a name
    that means another file to nvcc, which looks in the including file's own folder first.
    """

    def refuse(why):
        raise Refused('%s/%s: %s' % (folder, name, why))

    path = os.path.join(folder, name)
    if name in includers:
        refuse('includes itself')
    try:
        with open(path, encoding='ascii') as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        refuse(error)
    read.add(path)
    text = ['#line 1 "%s"' % name]
    for number, line in enumerate(lines, 1):
        include = re.match(r'\s*#\s*include\b\s*(?:"([^"]*)")?', line)
        if include is None:
            text.append(line)
            continue
        included = include.group(1)
        if included is None:
            refuse('includes a header of the system, which NVRTC does not have')
        if '/' in name and os.path.exists(os.path.join(folder, os.path.dirname(name), included)):
            refuse('includes a name that two files have')
        text += expand(folder, included, read, (*includers, name))
        text.append('#line %d "%s"' % (number + 1, name))
    return text


def kernel_texts(folder, named):
    """[(unit, file, text)...] of [(unit, file, needs)...], the digest of all, and the files read.

    For an architecture without the instructions of a unit its text is an error: its code would be a
    trap.
    """
    read, texts, digest = set(), [], hashlib.sha256()
    for unit, file, needs in named:
        lines = expand(folder, file, read)
        if needs:
            lines[:0] = [
                '#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < %d0' % needs,
                '#error needs compute capability %d.%d' % divmod(needs, 10),
                '#endif',
            ]
        texts.append((unit, file, '\n'.join(lines) + '\n'))
        digest.update(('%s\0%s\0' % (unit, texts[-1][2])).encode())
    return texts, '0x' + digest.hexdigest()[:16], sorted(read)


def write_texts(output, depfile, folder, named):
    """The C source of the table kernel_texts[] (cuda/image.h)."""
    texts, digest, read = kernel_texts(folder, named)
    lines = ['/* Written by images.py; do not edit. */', '#include "cuda/image.h"', '']
    for index, (_, _, text) in enumerate(texts):
        lines += [
            'static const char text_%d[] =' % index,
            *('    ' + c_string(line + '\n') for line in text.splitlines()),
            '    ;',
        ]
    lines += ['', 'const struct kernel_text kernel_texts[] = {']
    lines += [
        '    {"%s", "%s", text_%d, sizeof(text_%d)},' % (unit, file, index, index)
        for index, (unit, file, _) in enumerate(texts)
    ]
    lines += [
        '};',
        'const int kernel_text_count = %d;' % len(texts),
        'const char *const kernel_texts_digest = "%s";' % digest,
        'const char *const kernel_text_options[] = {%s, NULL};' % ', '.join(map(c_string, OPTIONS)),
    ]
    write_whole(output, ('\n'.join(lines) + '\n').encode())
    write_whole(depfile, ('%s: %s\n' % (output, ' '.join(read))).encode())


# cuda/unit_file.h defines the layout of an images file. Its texts use only letters that assay accepts.
MAGIC, VERSION, ALIGNMENT, PARTS_MAX = b'assay\0im', 1, 16, 4096
NAME, TOOLKIT, ARCHITECTURES, UNIT_OPTIONS, SOURCES, UNIT, FATBIN, PTX = range(8)
FORMS = {
    NAME: r'[A-Za-z0-9.-]{1,20}',
    TOOLKIT: r'[0-9.]{1,20}',
    ARCHITECTURES: r'[0-9 ]{1,256}',
    UNIT_OPTIONS: r'[ -~]{0,1024}',
    SOURCES: r'[0-9a-fx]{1,18}',
    UNIT: r'[a-z0-9_]{1,64}',
}


def unit_file_digest(data):
    """FNV-1a over words of 8 bytes."""
    digest = 0xCBF29CE484222325
    for word in memoryview(data).cast('Q'):
        digest = (digest ^ word) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return digest


def write_unit_file(output, texts, units_made):
    """Writes what --images loads: name, toolkit, architectures, options, sources, then the units."""
    rows = [(kind, 0, text.encode() + b'\0') for kind, text in zip(range(UNIT), texts, strict=True)]
    for name, fatbin, ptx in units_made:
        rows.append((UNIT, 0, name.encode() + b'\0'))
        try:
            rows += [(FATBIN, 0, pathlib.Path(fatbin).read_bytes())] if fatbin else []
            rows += [
                (PTX, capability, pathlib.Path(path).read_bytes() + b'\0')
                for capability, path in ptx
            ]
        except OSError as error:
            raise Refused('%s: %s' % (error.filename, error.strerror)) from None
    for kind, _, data in rows:
        if kind in FORMS and not re.fullmatch(FORMS[kind], data[:-1].decode()):
            raise Refused('"%s" cannot be a text of an images file' % data[:-1].decode())
        if kind == FATBIN and (len(data) < 16 or data[:4] != b'\x50\xed\x55\xba'):
            raise Refused('no fatbin, but %d other bytes' % len(data))
    if len(rows) > PARTS_MAX:
        raise Refused('%d parts; an images file holds %d' % (len(rows), PARTS_MAX))

    def padded(data):
        return data + bytes(-len(data) % ALIGNMENT)

    body, table = bytearray(), bytearray()
    first = len(padded(bytes(24 + 24 * len(rows))))
    for kind, capability, data in rows:
        table += struct.pack('=IIQQ', kind, capability, first + len(body), len(data))
        body += padded(data)
    bytes_in_all = first + len(body) + 8
    file = padded(struct.pack('=8sIIQ', MAGIC, VERSION, len(rows), bytes_in_all) + table) + bytes(
        body
    )
    write_whole(output, file + struct.pack('=Q', unit_file_digest(file)))


def read_units(kernels, mutants):
    return units(
        pathlib.Path(kernels).read_text(encoding='utf-8'),
        pathlib.Path(mutants).read_text(encoding='utf-8'),
    )


def print_list(kernels, mutants, nvcc=None, *wanted):
    """For meson.build, a line each:

        toolkit : VERSION
        architectures : those that machine code is made for, ascending
        lowest : the lowest that the toolkit compiles
        unit NAME FILE NEEDS : the capabilities that PTX is made for, ascending

    and without NVCC units alone.
    """
    archs, lowest = architectures_of(nvcc, list(wanted)) if nvcc else ([], 0)
    if nvcc:
        print('toolkit :', toolkit_of(nvcc))
        print('architectures :', *archs)
        print('lowest :', lowest)
    for unit in read_units(kernels, mutants):
        print(
            'unit',
            unit.name,
            unit.file,
            unit.needs,
            ':',
            *(compilations(unit, archs, lowest)[1] if nvcc else ())
        )


def triples(words):
    return [(words[at + 1], words[at + 2], int(words[at + 3])) for at in range(0, len(words), 4)]


def compile_for_build(nvcc, source, depfile, needs, architectures, lowest, fatbin, *ptx):
    """NEEDS, ARCHITECTURES and LOWEST as `list` printed them; SOURCE lies in a folder of cuda/."""
    path = pathlib.Path(source)
    unit = Unit('%s/%s' % (path.parent.name, path.stem), int(needs))
    archs = [int(word) for word in architectures.split()]
    read = compile_unit(nvcc, path.parent.parent, unit, archs, int(lowest), fatbin, ptx)
    write_whole(depfile, ('%s: %s\n' % (fatbin, ' '.join(read))).encode())


COMMANDS = {
    'list': print_list,
    'compile': compile_for_build,
    'embed': lambda output, toolkit, archs, *words: embed(
        output, toolkit, archs, parts(list(words))
    ),
    'texts': lambda output, depfile, folder, *words: write_texts(
        output, depfile, folder, triples(words)
    ),
    'unit-file': lambda output, *words: write_unit_file(output, words[:5], parts(list(words[5:]))),
    'sources': lambda folder, kernels, mutants: print(
        kernel_texts(folder, [(it.name, it.file, it.needs) for it in read_units(kernels, mutants)])[
            1
        ]
    ),
}

if __name__ == '__main__':
    try:
        COMMANDS[sys.argv[1]](*sys.argv[2:])
    except Refused as refusal:
        sys.exit('images.py: %s' % refusal)
    except (KeyError, IndexError, TypeError):
        sys.exit(__doc__)
