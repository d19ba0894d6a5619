/* Budgets: the shipped file is made by the rule, mistakes are refused with their line, and figures
 * are held to them. */
#include "conformance/codegen/budgets.h"
#include "conformance/codegen/codegen.h"
#include "conformance/test/made_cubin.h"
#include "conformance/base/input_file.h"

/* Calls `look` for each function of the shipped budgets. Returns the number of architectures. */
static int each_shipped(void look(const json_t *function, int architecture, int *sum), int *sum)
{
    struct reason reason = {.text = ""};
    const json_t *architecture, *function;
    size_t index, at;
    json_t *const budgets = limit_file_open(&budgets_file, NULL, &reason);
    ck_assert_msg(budgets != NULL, "%s", reason.text);
    json_array_foreach(field_budget_file_architectures(budgets), index, architecture) {
        json_array_foreach(field_budget_architecture_functions(architecture), at, function) {
            look(function, (int)field_budget_architecture_architecture(architecture), sum);
        }
    }
    json_decref(budgets);
    return (int)index;
}

/* The rule of tools/make_budgets.py, by the model of occupancy. */
enum { REGISTERS_MAX = 255, CODE_PADDING_BYTES = 512 };
static uint32_t budget_registers(const struct code_figures *figures, const struct kernel *kernel,
                                 int architecture)
{
    struct block_needs needs;
    struct sm_limits sm;
    sm_limits_of(architecture, &sm);
    if (!block_needs_of(&sm, kernel, figures, &needs))
        return figures->registers;
    const int blocks = occupancy_of(&sm, &needs).blocks;
    while (needs.registers < REGISTERS_MAX) {
        needs.registers++;
        if (occupancy_of(&sm, &needs).blocks >= blocks)
            continue;
        needs.registers--;
        break;
    }
    return (uint32_t)needs.registers;
}

static void look_at_rule(const json_t *function, int architecture, int *sum)
{
    const json_t *measured = field_budget_function_measured(function);
    const struct code_figures figures = {
        .registers = (uint32_t)field_budget_measured_registers(measured),
        .shared_bytes = (uint64_t)field_budget_function_shared_bytes(function)};
    const struct kernel *kernel = catalog_known_kernel(field_budget_function_kernel(function));
    ck_assert_int_eq(field_budget_function_registers(function),
                     budget_registers(&figures, kernel, architecture));
    const int64_t code_bytes = field_budget_measured_code_bytes(measured);
    ck_assert_int_eq(field_budget_function_code_bytes(function),
                     code_bytes + code_bytes / 2 + CODE_PADDING_BYTES);
    *sum += 1;
}

START_TEST(shipped_file_is_made_by_the_rule, "codegen.budget.registers")
{
    int functions = 0;
    ck_assert_int_gt(each_shipped(look_at_rule, &functions), 0);
    ck_assert_int_gt(functions, 0);
}

static void look_at_array(const json_t *function, int architecture, int *sum)
{
    const char *kernel = field_budget_function_kernel(function);
    const bool is_local = strcmp(kernel, "thread_array/local") == 0;
    (void)architecture;
    if (!is_local && strcmp(kernel, "thread_array/registers") != 0)
        return;
    ck_assert_int_eq(is_local, field_budget_function_local_bytes(function) > 0);
    *sum += 1;
}

/* An array that is indexed at run time is in local memory, and one that is laid out in none. */
START_TEST(arrays_are_where_they_are_meant_to_be, "thread_array.local.placed")
{
    int arrays = 0;
    const int architectures = each_shipped(look_at_array, &arrays);
    ck_assert_int_eq(arrays, 10 * architectures);
}

/* A file with one entry, in which one text replaces another. */
#define FUNCTION                                                                                   \
    "{\"kernel\": \"matmul/naive\", \"function\": \"matmul_naive\", \"registers\": 32, "           \
    "\"local_bytes\": 0, \"shared_bytes\": 2048, \"code_bytes\": 1000,\n"                          \
    "\"measured\": {\"registers\": 30, \"code_bytes\": 400}}"
static const char good_file[] =
    "{\"budgets\": \"assay\", \"version\": 1, \"toolkit\": \"13.0.88\", \"date\": \"2026-11-22\",\n"
    "\"architectures\": [\n{\"architecture\": 90, \"functions\": [\n" FUNCTION "\n]}]}";

static void assert_refused(const char *text, const char *by, const char *place, const char *words)
{
    char file[2 * sizeof good_file + sizeof FUNCTION];
    struct reason reason = {.text = ""};
    const char *at = strstr(good_file, text);
    ck_assert_ptr_nonnull(at);
    snprintf(file, sizeof file, "%.*s%s%s", (int)(at - good_file), good_file, by,
             at + strlen(text));
    ck_assert_msg(!limit_file_parse(&budgets_file, "f", file, &reason), "%s is taken", by);
    ck_assert_msg(strstr(reason.text, place) && strstr(reason.text, words),
                  "'%s' has not '%s' and '%s'", reason.text, place, words);
}

START_TEST(mistakes_are_refused, "codegen.budget.checked")
{
    static const char one[] = "f: line 4: architectures[0].functions[0]: ";
    assert_refused("matmul/naive", "matmul/none", one, "unknown kernel");
    assert_refused("\"registers\": 32", "\"registers\": 29", one, "below its own measurement");
    assert_refused("\"registers\": 32", "\"registers\": 256", one, "registers is 256");
    assert_refused("\"code_bytes\": 1000", "\"code_bytes\": 399", one, "not within 1 to 10 times");
    assert_refused("\"code_bytes\": 1000", "\"code_bytes\": 4001", one, "not within 1 to 10 times");
    assert_refused("\"local_bytes\": 0, ", "", one, "local_bytes");
    assert_refused("\n]}]}", ",\n" FUNCTION "\n]}]}",
                   "f: line 6: architectures[0].functions[1]: ", "occurs twice");
    assert_refused("\n]}]}", "\n]},\n{\"architecture\": 90, \"functions\": []}]}",
                   "f: line 7: architectures[1]: ", "occurs twice");
}

START_TEST(provenance_is_required, "codegen.budget.provenance")
{
    assert_refused("\"toolkit\": \"13.0.88\", ", "", "f: line 1: the file: ", "toolkit");
    assert_refused("2026-11-22", "today", "f: line 1: the file: ", "YYYY-MM-DD");
}

static json_t *good_budgets(void)
{
    struct reason reason = {.text = ""};
    json_t *const budgets = limit_file_parse(&budgets_file, "f", good_file, &reason);
    ck_assert_msg(budgets != NULL, "%s", reason.text);
    return budgets;
}

/* What figures of matmul/naive on sm_`architecture` come to, through a path. */
static struct finding judge(int architecture, const char *path, const struct code_figures *figures)
{
    static struct session session;
    session.devices[0].info.limits.compute_capability = architecture;
    struct codegen codegen = {.session = &session, .budgets = good_budgets()};
    struct codegen_row row = {.subject = {.path = (uint16_t)path_find(path)},
                              .function = "matmul_naive",
                              .is_read = true,
                              .figures = *figures};
    codegen_judge_row(&codegen, &row);
    json_decref(codegen.budgets);
    return row.finding;
}

START_TEST(each_figure_is_held, "codegen.budget.held")
{
    static const struct code_figures most = {
        .registers = 32, .shared_bytes = 2048, .code_bytes = 1000};
    struct code_figures figures = most;
    ck_assert_int_eq(judge(90, "sass", &figures).verdict, VERDICT_PASS);
    figures.registers = 33;
    figures.local_bytes = 4;
    struct finding finding = judge(90, "sass", &figures);
    ck_assert_int_eq(finding.verdict, VERDICT_FAIL);
    ck_assert_str_eq(finding.clause, "codegen.budget.held");
    ck_assert_str_eq(finding.note,
                     "33 registers per thread, budget 32; 4 bytes of local memory per thread, "
                     "budget 0");
    figures = most;
    figures.shared_bytes = 2047; /* fewer are another program, too */
    ck_assert_int_eq(judge(90, "sass", &figures).verdict, VERDICT_FAIL);
    figures = most;
    figures.code_bytes = 1001;
    ck_assert_int_eq(judge(90, "ptx", &figures).verdict, VERDICT_FAIL);
    figures.code_bytes = 0; /* only the driver has it */
    ck_assert_int_eq(judge(90, "ptx", &figures).verdict, VERDICT_PASS);
}

START_TEST(what_has_no_budget_is_inconclusive, "codegen.budget.missing")
{
    struct code_figures figures = {.registers = 33, .shared_bytes = 2048};
    /* On an architecture without any, figures are recorded. */
    ck_assert_int_eq(judge(130, "sass", &figures).verdict, VERDICT_PASS);
    ck_assert_int_eq(judge(90, "ptx-lowest", &figures).verdict, VERDICT_INCONCLUSIVE);
    figures.registers = 32;
    ck_assert_int_eq(judge(90, "ptx-lowest", &figures).verdict, VERDICT_PASS);
    json_t *const budgets = good_budgets();
    struct reason reason;
    ck_assert(!budgets_find(budgets, 90, "matmul/naive", "other", &reason));
    ck_assert_str_eq(reason.text, "sm_90 has no budget for this function");
    json_decref(budgets);
}

START_TEST(budgets_of_nvcc_hold_the_memory_of_nvrtc_alone, "codegen.budget.missing")
{
    const struct path_addition nvrtc = {
        .name = "nvrtc-13.0.88", .like = "nvrtc", .tool = "/candidate"};
    struct reason reason;
    ck_assert_msg(path_add(&nvrtc, &reason), "%s", reason.text);
    struct code_figures figures = {.registers = 32, .shared_bytes = 2048, .code_bytes = 1000};
    ck_assert_int_eq(judge(90, nvrtc.name, &figures).verdict, VERDICT_PASS);
    figures.registers = 33;
    struct finding finding = judge(90, nvrtc.name, &figures);
    ck_assert_int_eq(finding.verdict, VERDICT_INCONCLUSIVE);
    ck_assert_str_eq(finding.note,
                     "33 registers per thread, budget 32; that budget is made from nvcc's code");
    figures.local_bytes = 4;
    ck_assert_int_eq(judge(90, nvrtc.name, &figures).verdict, VERDICT_FAIL);
    figures.local_bytes = 0;
    figures.shared_bytes = 2047;
    ck_assert_int_eq(judge(90, nvrtc.name, &figures).verdict, VERDICT_FAIL);
}

static struct finding judge_fatbin(struct cubin_bytes fatbin, int architecture,
                                   const char *function)
{
    struct cubin_bytes cubin;
    struct code_figures figures;
    struct reason reason;
    ck_assert(cubin_find(fatbin, architecture, &cubin, &reason));
    ck_assert_msg(cubin_read(cubin, function, &figures, &reason), "%s", reason.text);
    ck_assert_uint_gt(figures.local_bytes, 0);
    return judge(90, "sass", &figures);
}

START_TEST(code_that_spills_fails, "codegen.budget.spill")
{
    const struct made_cubin made = {.architecture = 90,
                                    .entry = "matmul_naive",
                                    .registers = 24,
                                    .frame_bytes = 760,
                                    .stack_bytes = 760,
                                    .shared_bytes = 2048,
                                    .code_bytes = 900};
    struct cubin_bytes fatbin = made_fatbin(&made);
    struct finding finding = judge_fatbin(fatbin, 90, "matmul_naive");
    ck_assert_int_eq(finding.verdict, VERDICT_FAIL);
    ck_assert_str_eq(finding.note, "760 bytes of local memory per thread, budget 0");
    free((void *)fatbin.first);
}

/* The same of a real one, compiled with too few registers, where there is a compiler. */
START_TEST(compiled_code_that_spills_fails, "codegen.budget.spill")
{
    const char *path = getenv("SPILLING");
    size_t bytes = 0;
    int architectures[64];
    struct reason reason;
    char *file = path ? input_read(INPUT_CODE, path, &bytes, &reason) : NULL;
    const struct cubin_bytes fatbin = {(const unsigned char *)file, bytes};
    int count = file ? cubin_architectures(fatbin, architectures, 64, &reason) : 0;
    ck_assert(file == NULL || count > 0);
    for (int index = 0; index < count; index++) {
        struct finding finding = judge_fatbin(fatbin, architectures[index], "spilling");
        ck_assert_int_eq(finding.verdict, VERDICT_FAIL);
        ASSERT_HAS(finding.note, " bytes of local memory per thread, budget 0");
    }
    free(file);
}
