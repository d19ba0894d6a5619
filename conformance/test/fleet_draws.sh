#!/bin/sh
# Made-up fleets (made_fleet.py) of MACHINES, DRAWS of them: all that is wrong is named, and nothing else. A thousand
# machines are read within the time and memory of their clause.
# Clauses: fleet.speed.chance, fleet.speed.sorts, fleet.verdict.worst, fleet.size.bounded.
#     fleet_draws.sh ASSAY MACHINES DRAWS [FIRST SEED]
set -u
assay=$1 machines=$2 draws=$3 seed=${4:-1}
here=$(dirname "$0")
. "$here/tap.sh"

make_fleet() {
    rm -rf "$scratch/fleet"
    python3 "$here/made_fleet.py" "$scratch/fleet" "$machines" "$seed" && ended "$scratch/fleet"/*.json &&
        python3 "$here/made_fleet.py" "$scratch/fleet" --spoil
}

read_fleet() {
    python3 - "$assay" "$scratch/fleet" "$scratch/report.json" "$machines" <<'END'
import resource, subprocess, sys, time
assay, folder, report, machines = sys.argv[1:]
began = time.monotonic()
status = subprocess.run([assay, 'fleet', '--format', 'json', '-o', report, folder]).returncode
took, used = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
print('%s machines in %.1f s and %.2f GiB, status %d' % (machines, took, used, status))
sys.exit(status != 1 or used > 1 or (int(machines) >= 1000 and took > 15))
END
}

for draw in $(seq "$draws"); do
    make_fleet >"$scratch/said" 2>&1 && read_fleet >>"$scratch/said" 2>&1
    report $? "draw $draw of $machines machines, seed $seed, is read"
    python3 "$here/made_fleet.py" "$scratch/fleet" --check "$scratch/report.json" >>"$scratch/said" 2>&1
    report $? "draw $draw of $machines machines, seed $seed: all is named, and nothing else"
    sed 's/^/# /' "$scratch/said"
    seed=$((seed + 1))
done
finish
