/* What a program may consist of. Swarm testing: each has a random subset of the types, of the
 * groups of operations and of the operations in them (Groce et al., "Swarm testing", 2012), so that
 * some programs are dense in what others lack. */
#include "fuzz/programs/program_maker.h"

/* What the draws allow. */
struct allowed {
    uint32_t groups;
    uint32_t types;
    bool are_costly; /* operations that compilers take long for */
};

/* Of an operation alone: every row of that name; else half of what the mix or the seed allows. */
static bool is_chosen(struct maker *maker, int row, const struct allowed *allowed)
{
    const struct operation *operation = &operations[row];
    if (maker->it->operation >= 0)
        return row == maker->it->operation;
    return draw_chance(&maker->draw, 1, 2) && (allowed->groups >> operation->group & 1) != 0 &&
           (allowed->are_costly || !operation->is_costly);
}

static void choose_rows(struct maker *maker, int group, bool are_blocks,
                        const struct allowed *allowed, struct choices *ret)
{
    ret->first = (uint16_t)maker->choice_count;
    for (int row = 0; row < (int)OPERATIONS; row++) {
        const struct operation *operation = &operations[row];
        if (operation->is_block != are_blocks || (!are_blocks && operation->group != group) ||
            !is_chosen(maker, row, allowed))
            continue;
        for (int type = 0; type < PROGRAM_TYPES; type++)
            if ((operation->types & allowed->types) >> type & 1 &&
                maker->choice_count < CHOICES_MAX)
                maker->choice[maker->choice_count++] =
                    (struct choice){(uint16_t)row, (uint8_t)type};
    }
    ret->count = (uint16_t)(maker->choice_count - ret->first);
}

static uint32_t drawn_set(struct draw *draw, int bits)
{
    uint32_t all = (UINT32_C(1) << bits) - 1;
    uint32_t set = (uint32_t)draw_word(draw) & all;
    return set != 0 ? set : all;
}

/* Those that have many such operations, since few programs have them. */
static uint32_t costly_groups(void)
{
    enum { MANY = 10 };
    int count[OPERATION_GROUPS] = {0};
    uint32_t groups = 0;
    for (int row = 0; row < (int)OPERATIONS; row++)
        if (operations[row].is_costly && ++count[operations[row].group] == MANY)
            groups |= UINT32_C(1) << operations[row].group;
    return groups;
}

/* Where a draw leaves nothing, the next one may not. */
void maker_choose(struct maker *maker)
{
    for (int try = 0; try < 16 && maker->group_count == 0; try++) {
        struct allowed allowed;
        allowed.groups = drawn_set(&maker->draw, OPERATION_GROUPS);
        allowed.types = drawn_set(&maker->draw, PROGRAM_TYPES) | UINT32_C(1) << TYPE_PREDICATE;
        allowed.are_costly = draw_chance(&maker->draw, 1, 6) || try == 15;
        if (allowed.are_costly)
            allowed.groups |= costly_groups();
        if (draw_chance(&maker->draw, 1, 2))
            allowed.groups &= ~(UINT32_C(1) << GROUP_CONTROL);
        if (maker->it->mix != 0)
            allowed.groups = maker->it->mix;
        if (maker->it->operation >= 0 || try == 15)
            allowed.types = UINT32_MAX;
        maker->choice_count = 0;
        for (int group = 0; group < OPERATION_GROUPS; group++) {
            choose_rows(maker, group, false, &allowed, &maker->straight[group]);
            if (maker->straight[group].count > 0)
                maker->groups[maker->group_count++] = group;
        }
        choose_rows(maker, 0, true, &allowed, &maker->blocks);
    }
}
