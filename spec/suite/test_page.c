/* Unit tests of the page reader: what it takes, and what it refuses. Ids here name pages that do
 * not exist, so that the spec suite does not take them for citations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/page.h"
#include "spec/testing.h"

static const char vector_whole[] = "```vector\n"
                                   "clause: toy.sum.value\n"
                                   "case: toy n=1 fill=uniform seed=0\n"
                                   "a: 1 2\n"
                                   "b:\n"
                                   "```\n";

static void assert_text(struct page_text got, const char *expected)
{
    ck_assert_msg(page_text_equal(got, page_text_of(expected)), "got `%.*s`, expected `%s`",
                  (int)got.bytes, got.start, expected);
}

/* The first item of a page. */
static struct page_item first(const char *text)
{
    struct page_reader reader;
    struct page_item item;
    page_open(&reader, text, strlen(text));
    page_next(&reader, &item);
    return item;
}

static void assert_bad(const char *text, size_t line, const char *message_part)
{
    struct page_item item = first(text);
    ck_assert_msg(item.kind == PAGE_BAD, "accepted: %s", text);
    ck_assert_msg(strstr(item.message, message_part) != NULL, "%s: %s", text, item.message);
    ck_assert_msg(item.line == line, "%s: line %zu, expected %zu", text, item.line, line);
}

START_TEST(clause_is_read)
{
    CLAUSE("clauses.form.line");
    struct page_item item =
        first("# toy\n\ntext\n- **toy.sum.value**: The sum (of two). (000, 004)\n");
    ck_assert_int_eq(item.kind, PAGE_CLAUSE);
    ck_assert_uint_eq(item.line, 4);
    assert_text(item.clause, "toy.sum.value");
    assert_text(item.sentence, "The sum (of two).");
    assert_text(item.sources, "000, 004");
    item = first("- **toy.sum.value_2**: The sum. (assay)");
    ck_assert_int_eq(item.kind, PAGE_CLAUSE);
    assert_text(item.sources, "assay");
}
END_TEST

START_TEST(clause_form_is_strict)
{
    CLAUSE("clauses.form.line");
    static const char *const lines[] = {
        "- **toy.sum**: The sum. (assay)",
        "- **toy.sum.value.more**: The sum. (assay)",
        "- **toy.Sum.value**: The sum. (assay)",
        "- **toy.sum.value_**: The sum. (assay)",
        "- **toy.2sum.value**: The sum. (assay)",
        "- **toy.sum.value** : The sum. (assay)",
        "- **toy.sum.value**:The sum. (assay)",
        "- **toy.sum.value**:  The sum. (assay)",
        "- **toy.sum.value**: The  sum. (assay)",
        "- **toy.sum.value**: The sum (assay)",
        "- **toy.sum.value**: The sum.",
        "- **toy.sum.value**: The sum. (assay).",
        "- **toy.sum.value**: The sum. (assay) ",
        "- **toy.sum.value**: The sum. ()",
        "- **toy.sum.value**: The sum. (000 004)",
        "- **toy.sum.value**: The sum. (000,004)",
        "- **toy.sum.value**: The sum. (004, 000)",
        "- **toy.sum.value**: The sum. (000, 000)",
        "- **toy.sum.value**: The sum. (000, )",
        "- **toy.sum.value**: The sum. (00)",
        "- **toy.sum.value**: The sum. (0000)",
        "- **toy.sum.value**: The sum. (000, assay)",
        "- **toy.sum.value**: . (assay)",
        "- **toy.sum.value**: (assay)",
        "- **toy.sum.value**: ",
        "- **toy.sum.value",
        "- **",
        "- **toy.sum.value**: The sum.\t(assay)",
        "- **toy.sum.value**: The sum. (assay)\r",
        "* **toy.sum.value**: The sum. (assay)",
        " - **toy.sum.value**: The sum. (assay)",
        "- The clause **toy.sum.value**: The sum. (assay)",
        "**toy.sum**",
    };
    for (size_t index = 0; index < sizeof lines / sizeof *lines; index++)
        assert_bad(lines[index], 1, "");
}
END_TEST

START_TEST(prose_is_skipped)
{
    CLAUSE("clauses.form.line");
    ck_assert_int_eq(first("# toy\n\n- a list\n**bold** and `toy.sum.value`\n| a | b |\n").kind,
                     PAGE_END);
    ck_assert_int_eq(first("```text\n- **toy.sum.value**: not read\n```\n").kind, PAGE_END);
    ck_assert_int_eq(first("").kind, PAGE_END);
    ck_assert_int_eq(first("\n\n").kind, PAGE_END);
}
END_TEST

START_TEST(vector_is_read)
{
    CLAUSE("clauses.form.vector");
    struct page_item item = first(vector_whole);
    ck_assert_int_eq(item.kind, PAGE_VECTOR);
    ck_assert_uint_eq(item.line, 1);
    assert_text(item.clause, "toy.sum.value");
    assert_text(item.case_line, "toy n=1 fill=uniform seed=0");
    ck_assert_uint_eq(item.case_line_number, 3);
    ck_assert_int_eq(item.operand_count, 2);
    assert_text(item.operands[0].name, "a");
    assert_text(item.operands[0].values, "1 2");
    ck_assert_uint_eq(item.operands[0].line, 4);
    assert_text(item.operands[1].values, "");
}
END_TEST

#define OPENING "```vector\nclause: toy.sum.value\n"
#define CASE    "case: toy\n"

START_TEST(vector_form_is_strict)
{
    CLAUSE("clauses.form.vector");
    assert_bad("```vector\n" CASE "a: 1\n```\n", 2, "first line");
    assert_bad("```vector\nclause: toy.sum\n" CASE "a: 1\n```\n", 2, "first line");
    assert_bad(OPENING "a: 1\n" CASE "```\n", 3, "second line");
    assert_bad(OPENING "case:\na: 1\n```\n", 3, "second line");
    assert_bad(OPENING CASE "```\n", 1, "its operands");
    assert_bad("```vector\n```\n", 1, "its operands");
    assert_bad(OPENING CASE "a: 1\na: 1\n```\n", 5, "twice");
    assert_bad(OPENING CASE "a: 1\nb: 1\nc: 1\nd: 1\ne: 1\n```\n", 8, "too many");
    assert_bad(OPENING CASE "a:1\n```\n", 4, "key: values");
    assert_bad(OPENING CASE "a:  1\n```\n", 4, "key: values");
    assert_bad(OPENING CASE "a: 1 \n```\n", 4, "key: values");
    assert_bad(OPENING CASE "a: \n```\n", 4, "key: values");
    assert_bad(OPENING CASE "A: 1\n```\n", 4, "key: values");
    assert_bad(OPENING CASE "\na: 1\n```\n", 4, "key: values");
    assert_bad(OPENING CASE "a: 1\t2\n```\n", 4, "control");
}
END_TEST

START_TEST(fences_are_strict)
{
    CLAUSE("clauses.form.vector");
    assert_bad("``` vector\na: 1\n```\n", 1, "fence");
    assert_bad("```Vector\na: 1\n```\n", 1, "fence");
    assert_bad("```vectors\na: 1\n```\n", 1, "fence");
    assert_bad(" ```vector\na: 1\n```\n", 1, "fence");
    assert_bad("````vector\na: 1\n````\n", 1, "fence");
    assert_bad("~~~vector\na: 1\n~~~\n", 1, "fence");
    assert_bad("text\n```text\nno end\n", 2, "never ends");
}
END_TEST

/* A vector without its closing line is reported, and does not swallow what follows. */
START_TEST(unfinished_vector_is_reported)
{
    CLAUSE("clauses.form.vector");
    assert_bad("text\n" OPENING CASE "a: 1\n", 2, "never ends");
    assert_bad("```vector", 1, "never ends");
    struct page_reader reader;
    struct page_item item;
    const char *text = OPENING CASE "a: 1\n- **toy.sum.other**: The other. (assay)\n";
    page_open(&reader, text, strlen(text));
    ck_assert_int_eq(page_next(&reader, &item), PAGE_BAD);
    ck_assert_int_eq(page_next(&reader, &item), PAGE_CLAUSE);
    assert_text(item.clause, "toy.sum.other");
    ck_assert_int_eq(page_next(&reader, &item), PAGE_END);
    ck_assert_int_eq(page_next(&reader, &item), PAGE_END);
}
END_TEST

START_TEST(reading_continues_after_a_mistake)
{
    CLAUSE("clauses.form.vector");
    struct page_reader reader;
    struct page_item item;
    char text[400];
    snprintf(text, sizeof text, "%sb:x\n```\n%s", OPENING CASE, vector_whole);
    page_open(&reader, text, strlen(text));
    ck_assert_int_eq(page_next(&reader, &item), PAGE_BAD);
    ck_assert_uint_eq(item.line, 4);
    ck_assert_int_eq(page_next(&reader, &item), PAGE_VECTOR);
    ck_assert_uint_eq(item.line, 6);
}
END_TEST

/* Every prefix of a page, and the page with each byte changed, in a buffer of exactly its size. */
START_TEST(any_bytes_are_taken)
{
    CLAUSE("clauses.form.line");
    static const char page[] = "# toy\n- **toy.sum.value**: The sum. (000, 004)\n" OPENING CASE
                               "a: 1 2\n```\n```text\n```\n";
    static const char bytes[] = {0, '\n', ' ', '`', '*', '.', ':', '(', (char)0xff};
    for (size_t length = 0; length < sizeof page; length++)
        for (size_t index = 0; index < sizeof bytes; index++) {
            char *copy = malloc(length ? length : 1);
            ck_assert_ptr_nonnull(copy);
            memcpy(copy, page, length);
            if (length)
                copy[length * 7 / 8] = bytes[index];
            struct page_reader reader;
            struct page_item item;
            size_t items = 0;
            page_open(&reader, copy, length);
            while (page_next(&reader, &item) != PAGE_END)
                ck_assert_uint_lt(items++, length);
            free(copy);
        }
}
END_TEST

static void assert_ids(const char *text, const char *expected)
{
    char got[200] = "";
    struct page_text rest = page_text_of(text), id;
    while (page_id_next(&rest, &id))
        snprintf(got + strlen(got), sizeof got - strlen(got), "%.*s|", (int)id.bytes, id.start);
    ck_assert_str_eq(got, expected);
}

START_TEST(ids_are_found_in_text)
{
    CLAUSE("clauses.cited.exists");
    assert_ids("toy.sum.value", "toy.sum.value|");
    assert_ids("see (toy.sum.value), toy.sum.other.", "toy.sum.value|toy.sum.other|");
    assert_ids("*toy.sum.value* and `toy.sum.other_2`", "toy.sum.value|toy.sum.other_2|");
    assert_ids("toy.sum.value: toy.sum.other;", "toy.sum.value|toy.sum.other|");
    assert_ids("toy.sum and toy.sum.value.more toy.md driver.host.*", "");
    assert_ids("spec/toy.sum.value ->toy.sum.value x.toy.sum.value.more", "");
    assert_ids("toy.sum.value_ toy.sum.2 Toy.sum.value toy.sum.Value toy.sum.call()", "");
    assert_ids("", "");
}
END_TEST
