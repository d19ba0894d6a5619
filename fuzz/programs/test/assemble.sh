#!/bin/sh
# The toolkit takes the text of every operation of generated programs: ptxas for the compute
# capability that the operation's row says, and not with a text spoilt; nvcc as CUDA C.
# Clauses: programs.operation.texts.
#     assemble.sh path/to/print_operations [the toolkit's folder of programs]
print=$1 ptxas=$2/ptxas nvcc=$2/nvcc
if [ -z "$2" ]; then
    echo "1..0 # SKIP no CUDA toolkit"
    exit 0
fi
. "$(dirname "$0")/../../../conformance/test/tap.sh"

"$print" 75 variables cuda >"$scratch/operations.cu"
"$nvcc" -arch=sm_75 -c "$scratch/operations.cu" -o "$scratch/object" >"$scratch/nvcc.out" 2>&1 &
for arch in 75 80 90; do
    for kind in variables constants; do
        "$print" "$arch" "$kind" >"$scratch/module.ptx" &&
            "$ptxas" "-arch=sm_$arch" "$scratch/module.ptx" -o "$scratch/cubin" 2>&1 | sed 's/^/# /'
        [ -s "$scratch/cubin" ]
        report $? "sm_$arch takes every operation of $kind"
        rm -f "$scratch/cubin"
    done
done
"$print" 75 variables | sed 's/prmt.b32.f4e/prmt.b32.f5e/' >"$scratch/module.ptx"
! "$ptxas" -arch=sm_75 "$scratch/module.ptx" -o "$scratch/cubin" 2>/dev/null
report $? "and not one that there is not"
wait
sed 's/^/# /' "$scratch/nvcc.out"
[ -s "$scratch/object" ]
report $? "nvcc takes every operation that any GPU has"
finish
