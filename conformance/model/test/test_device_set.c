/* The labels of devices and of sets of them: each set has one, and each label that is accepted is
 * that of the set that it names. */
#include "conformance/model/device_info.h"
#include "spec/testing.h"

static const struct {
    const char *label;
    struct device_set set;
} sets[] = {
    {"host", {.kind = DEVICE_HOST}},
    {"cuda:0", {.kind = DEVICE_GPU}},
    {"cuda:12", {.kind = DEVICE_GPU, .ordinal = {12}}},
    {"sm_90", {.kind = DEVICE_ARCHITECTURE, .ordinal = {90}}},
    {"cuda:0+1", {.kind = DEVICE_GPU, .others = 1, .ordinal = {0, 1}}},
    {"cuda:1+0", {.kind = DEVICE_GPU, .others = 1, .ordinal = {1, 0}}},
    {"cuda:3+0+15", {.kind = DEVICE_GPU, .others = 2, .ordinal = {3, 0, 15}}},
    {"host:0+1", {.kind = DEVICE_HOST, .others = 1, .ordinal = {0, 1}}},
    {"host:1+0", {.kind = DEVICE_HOST, .others = 1, .ordinal = {1, 0}}},
    {"cuda:0+1+2+3+4+5+6+7+8+9+10+11+12+13+14+15",
     {.kind = DEVICE_GPU,
      .others = DEVICE_SET_MAX - 1,
      .ordinal = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}}},
};
enum { SETS = sizeof sets / sizeof sets[0] };

START_TEST(a_set_and_its_label_name_each_other, "runner.device.set")
{
    for (int index = 0; index < SETS; index++) {
        char label[DEVICE_LABEL_BYTES];
        struct device_set found;
        ck_assert_str_eq(device_label(sets[index].set, label), sets[index].label);
        ck_assert_msg(device_find(sets[index].label, &found), "%s", sets[index].label);
        ck_assert_int_eq(device_is_single(sets[index].label), found.others == 0);
        for (int other = 0; other < SETS; other++)
            ck_assert_msg(device_is_same(found, sets[other].set) == (index == other), "%s and %s",
                          sets[index].label, sets[other].label);
    }
}

START_TEST(no_other_label_is_a_set, "runner.device.set")
{
    static const char *const refused[] = {"",
                                          "cuda:",
                                          "cuda:-1",
                                          "cuda:0+",
                                          "cuda:+1",
                                          "cuda:0+0",
                                          "cuda:0+00",
                                          "cuda:00+1",
                                          "cuda:0++1",
                                          "cuda:0+1+",
                                          "cuda:0 +1",
                                          "cuda:0+1+0",
                                          "cuda:0,1",
                                          "cuda:0+-1",
                                          "host:0",
                                          "host:",
                                          "host+1",
                                          "host:1+1",
                                          "sm_90+80",
                                          "sm_90+",
                                          "cuda:0+cuda:1",
                                          "cuda:0+1+2+3+4+5+6+7+8+9+10+11+12+13+14+15+16"};
    struct device_set untouched = {.kind = DEVICE_GPU, .ordinal = {7}};
    for (size_t index = 0; index < sizeof refused / sizeof refused[0]; index++)
        ck_assert_msg(!device_find(refused[index], &untouched), "%s", refused[index]);
    ck_assert_int_eq(untouched.ordinal[0], 7);
}

START_TEST(a_member_is_a_set_of_one, "runner.device.set")
{
    const struct device_set set = {.kind = DEVICE_GPU, .others = 1, .ordinal = {4, 2}};
    ck_assert(device_is_same(device_set_member(&set, 0), device_set_of(DEVICE_GPU, 4)));
    ck_assert(device_is_same(device_set_member(&set, 1), device_set_of(DEVICE_GPU, 2)));
}

/* What a message may hold. */
START_TEST(a_whole_set_has_different_members, "runner.worker.parsed")
{
    static const struct device_set broken[] = {{.others = -1},
                                               {.others = DEVICE_SET_MAX},
                                               {.others = INT32_MAX},
                                               {.ordinal = {-1}},
                                               {.others = 1, .ordinal = {0, -1}},
                                               {.others = 1},
                                               {.others = 2, .ordinal = {3, 4, 3}}};
    for (size_t index = 0; index < sizeof broken / sizeof broken[0]; index++)
        ck_assert(!device_set_is_valid(&broken[index]));
    for (int index = 0; index < SETS; index++)
        ck_assert(device_set_is_valid(&sets[index].set));
}

/* Up to 16 devices: each ordered pair once, and so few rounds as there can be. */
START_TEST(pairs_come_in_rounds, "peer_copy.set.pairs")
{
    enum { MOST = 16 };
    static struct device_set pairs[MOST * (MOST - 1)];
    struct device_set devices[MOST];
    for (int count = 0; count <= MOST; count++) {
        int seen[MOST][MOST] = {{0}}, rounds = 0;
        for (int index = 0; index < count; index++)
            devices[index] = device_set_of(DEVICE_GPU, 3 * index);
        const int made = device_pairs(devices, count, pairs);
        ck_assert_int_eq(made, count * (count - 1));
        for (int first = 0, end; first < made; first = end, rounds++) {
            bool meet = true;
            for (end = first; end < made && meet; end += meet) {
                ck_assert(device_set_is_valid(&pairs[end]));
                for (int other = first; other < end; other++)
                    meet = meet && device_sets_can_run_together(&pairs[other], &pairs[end]);
            }
        }
        for (int index = 0; index < made; index++)
            seen[pairs[index].ordinal[0] / 3][pairs[index].ordinal[1] / 3]++;
        for (int left = 0; left < count; left++)
            for (int right = 0; right < count; right++)
                ck_assert_int_eq(seen[left][right], left != right);
        ck_assert_int_eq(rounds, count < 2 ? 0 : count % 2 ? count : count - 1);
    }
}

START_TEST(sets_meet_that_share_no_device_or_all, "peer_copy.set.pairs")
{
    static const struct {
        const char *left, *right;
        bool meet;
    } table[] = {{"cuda:0", "cuda:1", true},      {"cuda:0", "cuda:1+2", false},
                 {"cuda:0+1", "cuda:1+0", true},  {"cuda:0+1", "cuda:2+3", true},
                 {"cuda:0+1", "cuda:1+2", false}, {"cuda:0+1+2", "cuda:0+1", false}};
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct device_set left, right;
        ck_assert(device_find(table[index].left, &left) && device_find(table[index].right, &right));
        ck_assert_int_eq(device_sets_can_run_together(&left, &right), table[index].meet);
        ck_assert_int_eq(device_sets_can_run_together(&right, &left), table[index].meet);
    }
}
