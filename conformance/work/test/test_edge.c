/* Operands at the edge of an allocation: where they lie, how often, and what is left beside the
 * memory that they lie in. */
#include "conformance/work/region.h"
#include "conformance/test/made_subject.h"

enum { SLOTS = 256, CASES = 4000, SPARE_BYTES = 256 };

static const cu_address heap_base = (cu_address)1 << 40;

/* A driver that gives the first free slot of 2 MiB. */
static struct {
    bool taken[SLOTS];
    int slots;
} heap;

static cu_result take_slot(cu_address *ret, size_t bytes)
{
    int slot = 0;
    ck_assert_uint_eq(bytes, EDGE_BLOCK_BYTES);
    while (slot < heap.slots && heap.taken[slot])
        slot++;
    if (slot == heap.slots)
        return CU_ERROR_OUT_OF_MEMORY;
    heap.taken[slot] = true;
    *ret = heap_base + (cu_address)slot * EDGE_BLOCK_BYTES;
    return CU_SUCCESS;
}

static cu_result free_slot(cu_address address)
{
    size_t slot = (address - heap_base) / EDGE_BLOCK_BYTES;
    ck_assert(heap.taken[slot]);
    heap.taken[slot] = false;
    return CU_SUCCESS;
}

/* Each of a worker's threads takes one, and the driver takes some for itself after the first. */
START_TEST(nothing_is_beside_a_block, "memory.reads.edges")
{
    enum { THREADS = 64, LATER = 8 };
    struct device device = {.driver = {.mem_alloc = take_slot, .mem_free = free_slot}};
    cu_address address;
    size_t kept[THREADS];
    memset(&heap, 0, sizeof heap);
    heap.slots = SLOTS;
    heap.taken[0] = heap.taken[5] = true; /* others' */
    for (int thread = 0; thread < THREADS; thread++) {
        ck_assert_int_eq(edge_take(&device, EDGE_BLOCKS_MAX, &address), CU_SUCCESS);
        kept[thread] = (address - heap_base) / EDGE_BLOCK_BYTES;
        for (int later = 0; thread == 0 && later < LATER; later++)
            ck_assert_int_eq(take_slot(&address, EDGE_BLOCK_BYTES), CU_SUCCESS);
        for (int before = 0; before <= thread; before++) {
            size_t slot = kept[before];
            ck_assert(heap.taken[slot]);
            ck_assert_uint_gt(slot, 0);
            ck_assert_uint_lt(slot, SLOTS - 1);
            ck_assert(!heap.taken[slot - 1] && !heap.taken[slot + 1]);
        }
    }
}

/* If there is no room for neighbours, nothing but the block is taken. */
START_TEST(one_block_is_enough, "memory.reads.edges")
{
    struct device device = {.driver = {.mem_alloc = take_slot, .mem_free = free_slot}};
    cu_address address = 0;
    memset(&heap, 0, sizeof heap);
    heap.slots = 1;
    ck_assert_int_eq(edge_take(&device, EDGE_BLOCKS_MAX, &address), CU_SUCCESS);
    ck_assert_uint_eq(address, heap_base);
    ck_assert_int_eq(edge_take(&device, EDGE_BLOCKS_MAX, &address), CU_ERROR_OUT_OF_MEMORY);
}

/* Which operand is at an edge: 1 + its number; 0: none. */
static int operand_at_edge(const struct arena *arena)
{
    int found = 0;
    for (int index = 0; index < arena->operand_count; index++) {
        const struct arena_operand *it = &arena->operands[index];
        bool begins = it->from == it->begin, ends = it->to == it->end;
        ck_assert(!begins || (it->from == 0 && arena->edge == ARENA_EDGE_BEGIN));
        ck_assert(!ends || (it->to == arena->bytes && arena->edge == ARENA_EDGE_END));
        ck_assert(begins || it->begin - it->from >= ARENA_GUARD_BYTES);
        ck_assert(ends || it->to - it->end >= ARENA_GUARD_BYTES);
        ck_assert_uint_eq(it->begin % (size_t)it->view.element_bytes, 0);
        if (begins || ends)
            found = found ? -1 : index + 1;
    }
    return found;
}

/* Both edges of every input, in about one case in EDGE_EVERY; and never the output. */
START_TEST(some_cases_have_an_input_at_an_edge, "memory.reads.edges")
{
    for (int index = 0; index < algorithm_count; index++) {
        int seen[ALGORITHM_OPERANDS_MAX + 1][3] = {{0}}, all = 0;
        const int inputs = algorithms[index]->operand_count - 1;
        struct generator generator = made_generator(algorithms[index], TIER_STANDARD, 7);
        for (uint64_t number = 0; number < CASES; number++) {
            struct fuzz_case test_case = generated(&generator, number);
            struct arena arena = edge_layout(&test_case, SPARE_BYTES);
            int operand = operand_at_edge(&arena);
            ck_assert_uint_eq(arena.bytes % ARENA_ALIGNMENT_BYTES, 0);
            ck_assert_int_eq(operand != 0, arena.edge != ARENA_EDGE_NONE);
            ck_assert_int_ge(operand, 0);
            ck_assert_int_le(operand, inputs);
            ck_assert(operand == 0 || arena.bytes <= EDGE_BLOCK_BYTES - SPARE_BYTES);
            seen[operand][arena.edge]++;
            all += operand != 0;
        }
        ck_assert_int_ge(all, CASES / EDGE_EVERY / 2);
        ck_assert_int_le(all, CASES / EDGE_EVERY * 2);
        for (int operand = 1; operand <= inputs; operand++)
            for (int edge = ARENA_EDGE_BEGIN; edge <= ARENA_EDGE_END; edge++)
                ck_assert_int_ge(seen[operand][edge], 5);
    }
}

START_TEST(a_large_case_has_no_edge, "memory.reads.edges")
{
    struct fuzz_case test_case = made_case("matmul m=600 n=600 k=600 fill=uniform seed=1");
    for (test_case.seed = 0; test_case.seed < 1000; test_case.seed++)
        ck_assert_int_eq(edge_layout(&test_case, SPARE_BYTES).edge, ARENA_EDGE_NONE);
}
