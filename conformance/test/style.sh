#!/bin/sh
# The style of the report's page: contrast by WCAG 2.1 in light, in dark and on paper, and what it
# asks paper for.
# Clauses: report.html.contrast, report.html.paper, report.html.phone.
#     style.sh path/to/style.css
. "$(dirname "$0")/tap.sh"

# Each pair of colours of a theme that is too close; a theme that sets no colour lacks it.
contrast='
function value(digits) {
    return (index(hex, substr(digits, 1, 1)) - 1) * 16 + index(hex, substr(digits, 2, 1)) - 1
}
function linear(part) {
    part /= 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ^ 2.4
}
function luminance(name) {
    if (length(colours[theme, name]) != 6) { print theme ": no colour " name; return 0 }
    return 0.2126 * linear(value(substr(colours[theme, name], 1, 2))) + \
           0.7152 * linear(value(substr(colours[theme, name], 3, 2))) + \
           0.0722 * linear(value(substr(colours[theme, name], 5, 2)))
}
function check(name, ground, least,  one, other, ratio) {
    one = luminance(name) + 0.05
    other = luminance(ground) + 0.05
    ratio = one > other ? one / other : other / one
    if (ratio < least) printf "%s: %s on %s is %.2f to 1\n", theme, name, ground, ratio
}
BEGIN { hex = "0123456789abcdef"; theme = "light" }
/^@media/ { theme = /dark/ ? "dark" : /print/ ? "paper" : "none" }
{
    for (word = 1; word < NF; word++)
        if ($word ~ /^--/ && $(word + 1) ~ /^#/)
            colours[theme, substr($word, 3, length($word) - 3)] = substr($(word + 1), 2, 6)
}
END {
    for (number = split("light dark paper", themes); number > 0; number--) {
        theme = themes[number]
        check("ink", "ground", 4.5); check("ink", "raised", 4.5); check("quiet", "ground", 4.5)
        check("good", "good-ground", 4.5); check("bad", "bad-ground", 4.5); check("open", "open-ground", 4.5)
        check("good", "ground", 4.5); check("bad", "ground", 4.5); check("open", "ground", 4.5)
        for (series = 0; series < 7; series++) check("c" series, "ground", 3)
    }
}'
awk "$contrast" "$1" >"$scratch/out"
[ ! -s "$scratch/out" ]
report $? "colours contrast with their background in light, in dark and on paper"
sed 's/^/# /' "$scratch/out"
sed '/--ground/s/#fdfdfc/#888888/' "$1" | awk "$contrast" | grep -q '^light: quiet on ground is'
report $? "a grey ground is not"
# What may not break: only what lies in a box that scrolls by itself, and single words.
tr '}' '\n' <"$1" | sed -n 's/ *{.*white-space: nowrap.*//p' | sed 's/^[ ]*//' >"$scratch/nowrap"
[ "$(cat "$scratch/nowrap")" = "td.number, .verdict
table.pairs th" ] && grep -q '^body {.*overflow-wrap: anywhere' "$1"
report $? "on a phone every text breaks but numbers, verdicts and names in tables"
sed 's/^/# /' "$scratch/nowrap"
# What is wider (100%) than the box that it scrolls in (100cqw) has a hint with a height; what fits has one of 0.
tr '\n}' ' \n' <"$1" | sed -n 's/^ *//; s,^/[*][^*]*[*]/ *,,; /^\.\(scroll\|across\|hint\)\( span\)* {/p' >"$scratch/scroll"
grep -q '^\.scroll {.*overflow-x: auto;.*container-type: inline-size;' "$scratch/scroll" &&
    grep -q '^\.across {.*width: max-content; min-width: 100%;' "$scratch/scroll" &&
    grep -q '^\.hint {.*height: 0;.*overflow: hidden;.*padding-top: clamp(0px, (100% - 100cqw) \* 99, 1.4rem);' \
        "$scratch/scroll"
report $? "a wide table scrolls in its own box, under a line that says so"
sed 's/^/# /' "$scratch/scroll"
sed -n '/^@media print/,/^}/p' "$1" >"$scratch/paper"
paper() { grep -q -- "$1" "$scratch/paper"; }
paper '--ground: #ffffff;' && paper 'details::details-content { content-visibility: visible;' &&
    paper '^ *\.drawing,.*{ break-inside: avoid;' &&
    [ -z "$(grep -o 'font-size: [0-9.]*pt' "$scratch/paper" | awk '$2 + 0 < 8')" ]
report $? "paper is white, folded tables are open, no drawing is broken, no size is under 8 points"
finish
