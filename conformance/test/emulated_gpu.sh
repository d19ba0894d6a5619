#!/bin/bash
# The walk of spec/guide/new_gpu.md, command by command as the page has them, on a GPU that does not
# exist: an emulated one, whose speed is a model's (emulated_libcuda.c). It ends in a gate that is PASS
# and the SAME as its baseline; then L2 has half of its speed.
# Left out are tier huge, the sanitizer's tools, generated programs, which the emulation cannot assemble,
# and host calls, which a bench of named kernels does not measure. Two kernels stand for all.
# Clauses: driver.host.pretended, bandwidth.samples.clock, runner.gaps.listed, runner.gaps.verdicts, gpu_file.filter.measured,
# gpu_file.tool.made, gate.output.next, gate.verdict.whole, gate.verdict.unseen, gate.baseline.parts.
#     emulated_gpu.sh path/to/assay path/to/libcuda.so.1's-stand-in folder-of-fatbins
assay=$1 emulated=$2 fatbins=$3
. "$(dirname "$0")/tap.sh"
case $assay in /*) ;; *) assay=$PWD/$assay ;; esac
root=$(realpath "$(dirname "$0")/../..")
if [ ! -s "$fatbins/matmul_naive.fatbin" ]; then
    echo "1..0 # SKIP this build has no machine code to load"
    exit 0
fi
with_driver "$emulated"
ln -s "$emulated" "$scratch/lib/libnvidia-ml.so.1"
export ASSAY_HOST_GPU=0
cd "$scratch" || exit 1
mkdir build && ln -s "$assay" build/assay && ln -s "$root/tools" tools

# The toolkit of step 2: its machine code is that of this build, and says that it is of sm_137.
units="matmul_naive offset_copy_vector table_lookup_global texture_fetch_array harness_scrub harness_range"
parts=
for unit in $units; do
    python3 - "$fatbins/$unit.fatbin" "$unit" <<'EOF'
import struct, sys
code = bytearray(open(sys.argv[1], 'rb').read())
at = struct.unpack_from('<H', code, 6)[0]
while at < len(code):
    kind, head, size = struct.unpack_from('<H2xIQ', code, at)
    if kind == 2:  # a cubin: its architecture in the fatbin, and in the ELF header's flags
        struct.pack_into('<I', code, at + 28, 137)
        struct.pack_into('<B', code, at + head + 48 + 1, 137)
    at += head + size
open(sys.argv[2], 'wb').write(code)
EOF
    parts="$parts unit $unit $unit ptx 75 $(ls "$fatbins/$unit".*.ptx | head -n 1)"
done
sources=$(python3 tools/images.py sources "$root/cuda" "$root/cuda/kernels.def" "$root/cuda/mutants/mutants.def")
python3 tools/images.py unit-file new.images 13.9 13.9.1 137 -std=c++14 "$sources" $parts
report $? "a toolkit compiles for the GPU"

build/assay info >info
lacking() { sed -n '/^expect/q; s/^\([a-z0-9]*\)  *no .*/\1/p' info | tr '\n' ' '; }
[ "$(lacking)" = "sass limits filter known budgets floors l2 calls ratios " ]
report $? "all that can be filled is lacking"

# README's gate of an upgrade, with nothing but the binary: what assay has no data for is left out or
# recorded, and the baseline compares it.
unseen="offset_copy/vector --quick --corpus corpus"
build/assay gate $unseen -o before.json >out 2>err </dev/null
[ $? = 0 ] && grep -q '^PASS  in ' out && for part in bits code speed; do grep -q "^$part *PASS" out || echo $part; done >missing &&
    [ ! -s missing ] && grep -q '^ *gate *can PASS, without what these lack' out
report $? "a gate of a GPU that nobody has seen passes with nothing but the binary"
build/assay gate $unseen --baseline before.json >out 2>err </dev/null
[ $? = 0 ] && grep -q '^PASS  SAME as the baseline' out
report $? "and a second one is the SAME"
sed '/^{"codegen"/s/"blocks":[0-9]*/"blocks":99/g; s/"xxh3_128":"[0-9a-f]\{4\}/"xxh3_128":"abcd/g' before.json >other.json
ended other.json
ASSAY_HOST_FAULT=l2 build/assay gate $unseen --baseline other.json >out 2>err </dev/null
[ $? = 1 ] && for part in 'different bits' 'slower' 'fewer blocks'; do grep -q "^REGRESSED .*$part" out || echo $part; done >missing && [ ! -s missing ]
report $? "a regression of each part is found without any data of the GPU"
sed 's/^/# /' missing

# What the page has, with names of kernels, the images, and numbers that a test has time for.
with="--images new.images --path sass-13.9"
sed -n '/^ *```sh \(gpu\|build\)$/,/^ *```$/p' "$root/spec/guide/new_gpu.md" | sed 's/^ *//' | grep -v '```' |
    grep -vE -- '^build/assay info|--tier huge|^compute-sanitizer|--operations|--programs|--host-calls' |
    sed -E "s/ --tier smoke| --path ptx,ptx-lowest| texture_fetch//
        s/assay run/& offset_copy\/vector texture_fetch\/array --cases 60 --seed 1 --corpus corpus $with/
        s/assay codegen/& offset_copy\/vector texture_fetch\/array $with/
        s/assay bench/& table_lookup\/global --samples 20 $with/
        s/assay gate/& offset_copy\/vector --quick --corpus corpus $with/" >commands
while read -r command; do
    sh -c "$command" >out 2>err </dev/null
    echo "$?: $command"
    cat out err >>told
    case $command in tools/gpu_file.py*smoke.json) # the vendor's limits of an SM, by hand
        sed -i '0,/{/s//{"limits": {"threads": 3456, "blocks": 48, "shared_bytes": 99008, "shared_unit": 64, "reserved": 1536},/' gpu.json ;;
    esac
done <commands >walked
sed -E 's/^([0-9]*: [a-z]*)\/([a-z_.]*( [a-z]+)?).*/\1 \2/' walked >steps
printf '%s\n' '0: build assay run' '0: tools gpu_file.py gpu' '0: build assay run' '0: tools measure_filter.py gpu' '0: build assay run' \
    '0: build assay codegen' '0: tools make_budgets.py code' '0: tools gpu_file.py gpu' '0: build assay bench' '0: build assay floors' \
    '0: tools gpu_file.py gpu' '0: build assay gate' '0: build assay gate' | diff - steps >differs
report $? "each of the guide's steps ends as the guide says"
sed 's/^/# /' differs
grep -q '^PASS  SAME as the baseline' out && for part in bits code speed; do grep -q "^$part *PASS" out || echo $part; done >missing &&
    [ ! -s missing ]
report $? "the last one is a gate that is PASS, and SAME as its baseline"
printed=$(sed -n 's/.* compare with it: \(assay gate .*\)/\1/p' told | tail -n 1)
(PATH="$PWD/build:$PATH" && eval "$printed" >out2 2>err)
[ $? = 0 ] && grep -q '^PASS  SAME as the baseline' out2
report $? "and so is what the gate before it printed: $printed"
build/assay info --gpu gpu.json >info
[ "$(lacking)" = "sass known l2 calls ratios " ] &&
    python3 -c 'import json; print(*json.load(open("gpu.json"))["filter"].values())' | grep -qx '23 9 26 True'
report $? "and what is lacking then was not measured here"
ASSAY_HOST_FAULT=l2 sh -c "$(tail -n 1 commands)" >out 2>err
[ $? = 1 ] && grep -q '^REGRESSED .*, speeds: ' out && grep -q 'slower: offset_copy/vector .* l2 ' out && ! grep -q 'slower: .* dram ' out
report $? "L2 at half of its speed is a regression, in L2 alone"

# Events whose time is not the host's: no speed follows from them, and none is better than another.
kernel="table_lookup/global --path sass-13.9 --images new.images --repeats 3 --samples 20 --seed 1"
build/assay bench $kernel -o right.json >out 2>err </dev/null
[ $? = 0 ] && grep -q '"event_ratio":\(0.99\|1.0\)' right.json
report $? "a bench says how near its events' time is to the host's"
for fault in events events_near events_slow; do
    ASSAY_HOST_FAULT=$fault build/assay bench $kernel -o wrong.json >out 2>err </dev/null
    [ $? = 3 ] && grep -q '^[0-9]* INCONCLUSIVE  in ' out && ! grep -q 'PASS' out && ! grep -q '"gbps":\[\[' wrong.json &&
        [ "$(grep -c '^{"bench".*"verdict":"INCONCLUSIVE","clause":"bandwidth.samples.clock"' wrong.json)" = "$(grep -c '^{"bench"' wrong.json)" ]
    report $? "$fault: no speed is judged"
    sed -n '/INCONCLUSIVE/s/^/# /p' out
    build/assay compare right.json wrong.json >out 2>err
    [ $? = 3 ] && ! grep -q 'BETTER\|faster' out
    report $? "$fault: a speed that is 10 % higher is not better"
    build/assay compare wrong.json right.json >out 2>err
    ! grep -q 'BETTER\|faster\|slower' out
    report $? "$fault: nor worse without it"
done
ASSAY_HOST_FAULT=events sh -c "$(tail -n 1 commands)" >out 2>err
[ $? = 3 ] && grep -q '^INCONCLUSIVE' out && ! grep -q 'BETTER\|^REGRESSED' out && grep -q '^speed *INCONCLUSIVE' out
report $? "and a gate against its baseline is INCONCLUSIVE"
sed 's/^/# /' out

# GPUs whose attributes follow from a number: their memory and clocks are as here, all else is not.
faults=
for gpu in 1 2 3 7 11; do
    ASSAY_HOST_GPU=$gpu build/assay bench table_lookup/global --path ptx --repeats 3 --samples 20 --seed 1 >out 2>err
    grep -q '^3 PASS  in ' out || faults="$faults $gpu:$(tail -n 1 out)"
done
[ -z "$faults" ]
report $? "a bench of GPUs with odd limits is nobody's failure$faults"
finish
