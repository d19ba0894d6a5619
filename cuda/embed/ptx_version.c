/* Which version of PTX has what (ptx_version.h): from the "PTX ISA Notes" of NVIDIA's PTX ISA and
 * its table of targets. Only what the kernels use is here; anything else is unknown, on purpose. */
#include "cuda/embed/ptx_version.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { UNKNOWN = 0, OLDEST = 60, WORD_BYTES = 128 };

/* Words with blanks around them, and the version that they came with. */
struct words {
    int version;
    const char *words;
};

static const struct words targets[] = {
    {60, " sm_70 "},  {63, " sm_75 "},  {70, " sm_80 "},  {71, " sm_86 "},
    {74, " sm_87 "},  {78, " sm_89 "},  {78, " sm_90 "},  {86, " sm_100 "},
    {87, " sm_120 "}, {88, " sm_103 "}, {88, " sm_121 "}, {90, " sm_110 "},
};

static const struct words directives[] = {
    {OLDEST,
     " .version .target .address_size .visible .extern .weak .entry .func .param .ptr .reg .shared "
     ".const .global .local .align .pragma .maxntid .minnctapersm .maxnreg .pred .b8 .b16 "
     ".b32 .b64 .u8 .u16 .u32 .u64 .s8 .s16 .s32 .s64 .f32 .f64 .loc .file "},
};

/* Without what follows the first dot. */
static const struct words operations[] = {
    {OLDEST,
     " abs add addc and atom bar bfe bfi bfind bra brev call clz cnot copysign cos cvt cvta div "
     "ex2 exit fma ld lg2 lop3 mad madc max membar min mov mul mul24 neg not or popc prmt rcp "
     "rem ret rsqrt sad selp set setp shf shfl shl shr sin slct sqrt st sub subc tex testp "
     "trap vote xor "},
    {62, " activemask "},
    {70, " cp mbarrier "},
    {75, " fence "}, /* of a proxy; the others are of 6.0 */
};

/* After a dot. */
static const struct words modifiers[] = {
    {OLDEST,
     " pred b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64 rn rz rm rp rni rzi rmi rpi "
     "ftz sat approx full lo hi wide cc to global shared local const param volatile nc v2 v4 "
     "eq ne lt le gt ge lo ls hi hs ltu leu gtu geu equ neu num nan uni sync warp up down bfly "
     "idx all any ballot ca cg cs cv lu wb wt l r wrap clamp 1d 2d a1d gl sys add exch cas inc "
     "dec min max and or xor "},
    {70, " async commit_group wait_group wait_all init inval arrive test_wait "},
    {71, " parity "},
    {75, " proxy "},
    {78, " cta try_wait shared::cta shared::cluster "},
    {80, " expect_tx bulk mbarrier::complete_tx::bytes "},
};

/* Registers that no .reg declares. */
static const struct words registers[] = {
    {OLDEST, " tid ntid ctaid nctaid laneid warpid nwarpid smid nsmid clock clock64 globaltimer "
             "lanemask_eq lanemask_lt lanemask_le lanemask_gt lanemask_ge "},
};

/* What a word needs by a table; UNKNOWN where the table has it not. */
static int find(const struct words *table, size_t count, const char *word)
{
    char padded[WORD_BYTES + 2];
    snprintf(padded, sizeof padded, " %s ", word);
    for (size_t index = 0; index < count; index++)
        if (strstr(table[index].words, padded))
            return table[index].version;
    return UNKNOWN;
}

#define FIND(table, word) find(table, sizeof(table) / sizeof *(table), word)

/* What is known of a text so far. */
struct need {
    bool is_known;
    int version;
};

static void raise_to(struct need *need, int version)
{
    need->is_known = need->is_known && version != UNKNOWN;
    need->version = version > need->version ? version : need->version;
}

/* Operations and modifiers that are older one by one than together. */
static const struct {
    int version;
    const char *operation, *modifiers[2];
} together[] = {
    {80, "fence.", {".async", ""}}, {81, "st.", {".async", ""}}, {88, "ld.", {".v4", "64"}},
    {88, "st.", {".v4", "64"}},     {78, "bar.", {".cta", ""}},
};

/* As much of it as has room: what is cut off is in no table. */
static void copy_word(const char *from, size_t length, char ret_word[WORD_BYTES])
{
    const size_t kept = length < WORD_BYTES - 1 ? length : WORD_BYTES - 1;
    memcpy(ret_word, from, kept);
    ret_word[kept] = 0;
}

/* "cp.async.ca.shared.global". A fence without a proxy is counted as later than it is. */
static void take_instruction(struct need *need, const char *instruction)
{
    char word[WORD_BYTES];
    for (const char *at = instruction;;) {
        const size_t length = strcspn(at, ".");
        copy_word(at, length, word);
        raise_to(need, at == instruction ? FIND(operations, word) : FIND(modifiers, word));
        if (at[length] == 0)
            break;
        at += length + 1;
    }
    for (size_t index = 0; index < sizeof together / sizeof together[0]; index++)
        if (strncmp(instruction, together[index].operation, strlen(together[index].operation)) ==
                0 &&
            strstr(instruction, together[index].modifiers[0]) &&
            strstr(instruction, together[index].modifiers[1]))
            raise_to(need, together[index].version);
}

/* %p1, %rd12: as nvcc declares them. */
static bool is_declared(const char *name)
{
    static const char *const kinds[] = {"p", "r", "rd", "rs", "f", "fd", "SP", "SPL", "tmp"};
    const size_t letters = strcspn(name, "0123456789");
    for (size_t index = 0; index < sizeof kinds / sizeof kinds[0]; index++)
        if (strlen(kinds[index]) == letters && strncmp(kinds[index], name, letters) == 0 &&
            strspn(name + letters, "0123456789") == strlen(name + letters))
            return true;
    return false;
}

/* "%tid.x", "%r12". */
static void take_register(struct need *need, const char *word)
{
    char name[WORD_BYTES];
    copy_word(word, strcspn(word, "."), name);
    if (!is_declared(name))
        raise_to(need, FIND(registers, name));
}

/* After blanks and comments. */
static const char *skip(const char *at)
{
    for (;;) {
        const char *end = NULL;
        at += strspn(at, " \t\r\n");
        if (strncmp(at, "//", 2) == 0)
            at += strcspn(at, "\n");
        else if (strncmp(at, "/*", 2) == 0)
            at = (end = strstr(at + 2, "*/")) ? end + 2 : at + strlen(at);
        else
            return at;
    }
}

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || (at[length] && strchr("._$%:", at[length])))
        length++;
    while (length > 1 && at[length - 1] == ':') /* a label's */
        length--;
    return length;
}

/* The word at the beginning of a statement, or within it. */
static void take_word(struct need *need, const char *word, bool begins, bool *is_target)
{
    if (word[0] == '%')
        take_register(need, word + 1);
    else if (word[0] == '.')
        raise_to(need, FIND(directives, word));
    else if (*is_target)
        raise_to(need, FIND(targets, word));
    else if (begins)
        take_instruction(need, word);
    *is_target = strcmp(word, ".target") == 0;
}

int ptx_version_needed(const char *text)
{
    struct need need = {.is_known = true, .version = OLDEST};
    bool begins = true, is_target = false;
    for (const char *at = skip(text); *at && need.is_known; at = skip(at)) {
        char word[WORD_BYTES];
        const size_t length = word_length(at);
        copy_word(at, length, word);
        if (at[0] == '"') { /* a file's name, or a pragma */
            at += 1 + strcspn(at + 1, "\"");
            at += *at == '"';
        } else if (at[0] == '@') { /* its predicate is no instruction */
            at += 1 + strspn(at + 1, "!");
            at += word_length(at);
        } else if (length == 0) {
            begins = strchr(";{}:", at[0]) != NULL;
            at++;
        } else if (at[length] == ':' || isdigit((unsigned char)word[0])) { /* a label, a number */
            at += length + (at[length] == ':');
        } else {
            /* A directive's words are names, types and numbers up to its end. */
            take_word(&need, word, begins, &is_target);
            begins = false;
            at += length;
        }
    }
    return need.is_known ? need.version : UNKNOWN;
}

void ptx_version_lower(char *text)
{
    static const char directive[] = ".version ";
    char *at = strstr(text, directive);
    const int needed = at ? ptx_version_needed(text) : UNKNOWN;
    char *number = at ? at + sizeof directive - 1 : NULL;
    if (needed == UNKNOWN || !isdigit((unsigned char)number[0]) || number[1] != '.' ||
        !isdigit((unsigned char)number[2]) || isdigit((unsigned char)number[3]) ||
        needed >= (number[0] - '0') * 10 + number[2] - '0')
        return;
    number[0] = (char)('0' + needed / 10);
    number[2] = (char)('0' + needed % 10);
}
