#!/bin/sh
# Copies between devices: which pairs a run takes, that each is checked by engine and by kernel, and
# that a link which copies wrongly is found and its pair named. On the host device, which has as many
# devices as are asked for.
# Clauses: peer_copy.set.only, peer_copy.set.pairs, peer_copy.access.lacking, peer_copy.value.same,
# peer_copy.remote.guarded, runner.device.set, driver.host.devices.
#     peer.sh path/to/assay [path/to/libcuda.so.1's-stand-in folder-of-fatbins]
assay=$1 emulated=${2-} fatbins=${3-}
. "$(dirname "$0")/tap.sh"
mkdir "$scratch/corpus"
subjects="put get write read"
short="--cases 60 --seed 1 --corpus $scratch/corpus"

# peers N WORD...: a command on N devices
peers() {
    count=$1
    shift
    env ASSAY_HOST_DEVICES="$count" "$assay" "$@" >"$scratch/out" 2>"$scratch/err"
}

# rows WORDS: how many rows of the table end in the words
rows() { grep -cE "^peer_copy/[a-z]+ +host:[0-9]\+[0-9] .* $1" "$scratch/out"; }

peers 2 run --device host peer_copy $short -o "$scratch/two.json"
[ $? = 0 ] && [ "$(rows PASS)" = 8 ]
report $? "two devices: both directions, by engine and by kernel"
for set in host:0+1 host:1+0; do
    for subject in $subjects; do
        grep -q "^peer_copy/$subject  *$set .* PASS" "$scratch/out" || echo "$set $subject"
    done
done >"$scratch/missing"
[ ! -s "$scratch/missing" ] && grep -q '"devices":\["host:0+1","host:1+0"\]' "$scratch/two.json"
report $? "each row is of a set, and the record has no other device"
grep -q '^PASS  ' "$scratch/out" && [ "$(grep -c '^{"bits":.*"device":"host:[01]+[01]"' "$scratch/two.json")" = 8 ]
report $? "and a line of bits each"

peers 3 run --device host peer_copy/put peer_copy/read $short
[ $? = 0 ] && [ "$(rows PASS)" = 12 ]
report $? "three devices: six ordered pairs"

peers 2 run --device host:1+0 peer_copy $short
[ $? = 0 ] && [ "$(rows PASS)" = 4 ] && grep -q 'host:1+0, the CPU, chosen by --device host:1+0' "$scratch/out"
report $? "one set is named"

peers 2 run --device host offset_copy/vector peer_copy/put $short -o "$scratch/both.json"
[ $? = 0 ] && grep -qE '^offset_copy/vector +host ' "$scratch/out" && ! grep -q '^offset_copy/vector *host:' "$scratch/out" &&
    [ "$(rows PASS)" = 2 ] && grep -q '"devices":\["host","host:0+1","host:1+0"\]' "$scratch/both.json"
report $? "sets follow the single devices, and run nothing but copies between them"

peers 1 run --device host offset_copy/vector $short -o "$scratch/one.json"
peers 2 run --device host offset_copy/vector $short -o "$scratch/more.json"
[ "$(grep '^{"bits"' "$scratch/one.json")" = "$(grep '^{"bits"' "$scratch/more.json")" ]
report $? "a second device changes nothing of a run on one"

peers 2 run --device host --cases 60 --seed 1 --corpus "$scratch/corpus"
[ $? = 0 ] && ! grep -q 'peer_copy\|host:[0-9]' "$scratch/out"
report $? "without its name nothing is copied between devices"
for words in "run --device host:0+1+2 peer_copy" "bench --device host:0+1 strided_copy/scalar" "gate --device host:0+1"; do
    expect "refused: $words" 2 "host:0+1" env ASSAY_HOST_DEVICES=3 "$assay" $words
done
peers 2 run --device host:0+1 --cases 60 --seed 1 --corpus "$scratch/corpus"
[ $? = 0 ] && [ "$(rows PASS)" = 4 ]
report $? "a set that is named runs what runs on sets"
expect "one device has no pair" 77 "copies between devices need two" \
    env ASSAY_HOST_DEVICES=1 "$assay" run --device host peer_copy $short
expect "a set has no kernels of one device" 77 "only copies between devices run on a set of devices" \
    env ASSAY_HOST_DEVICES=2 "$assay" run --device host:0+1 offset_copy/vector $short
expect "a device that is not there" 99 "host:0+2" \
    env ASSAY_HOST_DEVICES=2 "$assay" run --device host:0+2 peer_copy/put $short

case='peer_copy n=257 element=8 target_offset=1 fill=random seed=3'
peers 2 replay --device host:0+1 "$case" peer_copy/write
[ $? = 0 ] && grep -qE '^peer_copy/write +host:0\+1 .* PASS' "$scratch/out"
report $? "a case is run again on the set"

# fault NAME WORDS SUBJECT...: these fail, on both sets, and the others pass
fault() {
    name=$1 words=$2
    shift 2
    export ASSAY_HOST_FAULT="$name"
    peers 2 run --device host peer_copy $short
    status=$?
    unset ASSAY_HOST_FAULT
    [ $status = 1 ] && [ "$(rows FAIL)" = $(($# * 2)) ] && [ "$(rows PASS)" = $((8 - $# * 2)) ] &&
        grep -q "$words" "$scratch/out" &&
        for subject; do
            for set in host:0+1 host:1+0; do
                grep -q "^  kernel    peer_copy/$subject through host on $set" "$scratch/out" || return 1
                grep -q "^  replay    assay replay --device $set '.*' peer_copy/$subject" "$scratch/out" || return 1
            done
        done
}
fault peer_lost 'still held its poison\|never written\|not written' put get
report $? "nothing is copied: the engine is named, and its pair"
fault peer_half 'expected' put get
report $? "half of each 16 bytes"
fault peer_displaced 'expected' put get
report $? "a copy that is displaced"
rm -f "$scratch"/corpus/*

export ASSAY_HOST_FAULT=peer_half:0+1
peers 2 run --device host peer_copy $short
status=$?
unset ASSAY_HOST_FAULT
[ $status = 1 ] && grep -qE '^peer_copy/put +host:0\+1 .* FAIL' "$scratch/out" &&
    grep -qE '^peer_copy/get +host:1\+0 .* FAIL' "$scratch/out" && [ "$(rows FAIL)" = 2 ]
report $? "one direction: written by the one device, read by the other"
rm -f "$scratch"/corpus/*

export ASSAY_HOST_FAULT=peer_no_access
peers 2 run --device host peer_copy $short
status=$?
unset ASSAY_HOST_FAULT
[ $status = 0 ] && [ "$(rows PASS)" = 4 ] &&
    [ "$(rows "SKIP: the first GPU has no access to the second one's memory")" = 4 ]
report $? "without access the engine is checked, and it is said of the kernels"

# Two emulated GPUs, whose threads share a worker for each set; PTX has no architecture there.
if [ -s "$fatbins/peer_copy_write.fatbin" ] || grep -q peer_copy_write.fatbin "$fatbins/images.c" 2>/dev/null; then
    with_driver "$emulated"
    ln -s "$emulated" "$scratch/lib/libnvidia-ml.so.1"
    export ASSAY_HOST_GPU=0
    peers 2 run peer_copy --cases 4 --seed 1 --jobs 2 --path ptx --corpus "$scratch/corpus" -o "$scratch/gpu.json"
    [ $? = 0 ] && [ "$(grep -c '^peer_copy/[a-z]* *cuda:[01]+[01] .* PASS' "$scratch/out")" = 8 ] &&
        grep -q '2 GPUs, all that the driver has' "$scratch/out" && ! grep -q '^gaps' "$scratch/out" &&
        grep -q '"uuid":"GPU-61737361-7920-686f-7374-000000000001+GPU-61737361-7920-686f-7374-000000000000"' "$scratch/gpu.json"
    report $? "GPUs: a set has the UUIDs of its members in order"
    peers 2 run peer_copy/put --expect-gpus 2 --cases 4 --seed 1 --jobs 1 --path ptx --corpus "$scratch/corpus"
    report $? "two GPUs are expected, and their sets do not count"
    few="run peer_copy/put --cases 2 --seed 1 --jobs 1 --path ptx --corpus $scratch/corpus"
    sets() { grep -oE '^peer_copy/put *cuda:[01]\+[01]' "$scratch/out" | sort | tr -s ' \n' ' '; }
    peers 2 $few --expect-gpus 2 --device cuda:0+1
    [ $? = 0 ] && [ "$(sets)" = "peer_copy/put cuda:0+1 " ]
    report $? "a set is of two GPUs, which are expected"
    peers 2 $few --expect-gpus 3 --device cuda:0+1,cuda:1+0
    [ $? = 3 ]
    report $? "and two sets of them are no more"
    peers 2 $few --device cuda:0+1,cuda:1
    [ $? = 0 ] && [ "$(sets)" = "peer_copy/put cuda:0+1 " ] && ! grep -q '^cuda:1 ' "$scratch/out"
    report $? "a device on which nothing runs is left out, wherever it is named"
    peers 2 $few --device cuda:0,cuda:1,cuda:0+1
    [ $? = 0 ] && [ "$(sets)" = "peer_copy/put cuda:0+1 peer_copy/put cuda:1+0 " ]
    report $? "a set that is named is not made again"
    expect "a set that the driver does not have" 2 "the driver has cuda:0 to cuda:1" \
        env ASSAY_HOST_DEVICES=2 "$assay" run peer_copy --device cuda:0+2
    expect "a set of one GPU twice" 2 "--device takes" \
        env ASSAY_HOST_DEVICES=2 "$assay" run peer_copy --device cuda:1+1
    expect "one GPU of two" 77 "copies between devices need two" \
        env ASSAY_HOST_DEVICES=2 "$assay" run peer_copy --device cuda:1
else
    skip "GPUs: a set has the UUIDs of its members in order" "this build has no machine code"
fi
finish
