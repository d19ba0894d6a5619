/* Unit tests of the source reader. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/source_text.h"
#include "spec/testing.h"

/* All tokens as text: kind's letter, line, the token, a bar. */
static void assert_tokens(const char *text, const char *expected)
{
    static const char kinds[] = {
        [SOURCE_WORD] = 'w', [SOURCE_MARK] = 'm', [SOURCE_STRING] = 's', [SOURCE_COMMENT] = 'c'};
    char got[400] = "";
    struct source_reader reader;
    struct source_token token;
    source_open(&reader, text, strlen(text));
    while (source_next(&reader, &token) != SOURCE_END)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%c%zu%.*s|", kinds[token.kind],
                 token.line, (int)token.text.bytes, token.text.start);
    ck_assert_str_eq(got, expected);
}

START_TEST(tokens_are_distinguished)
{
    CLAUSE("clauses.cited.exists");
    assert_tokens("CLAUSE(\"toy.sum.value\");", "w1CLAUSE|m1(|s1toy.sum.value|m1)|m1;|");
    assert_tokens("a // b \"c\"\nd /* e\n\"f\" */ g", "w1a|c1 b \"c\"|w2d|c2 e\n\"f\" |w3g|");
    assert_tokens("\"a\\\"b\" '\"' \"//\" '\\''", "s1a\\\"b|m1\"|s1//|m1\\'|");
    assert_tokens("a( \\\n b \\c", "w1a|m1(|w2b|m2\\|w2c|");
    assert_tokens("a/b", "w1a|m1/|w1b|");
    assert_tokens("", "");
}
END_TEST

START_TEST(unclosed_ends_are_met)
{
    CLAUSE("clauses.cited.exists");
    assert_tokens("\"a\nb", "s1a|w2b|");
    assert_tokens("/* a", "c1 a|");
    assert_tokens("/*", "c1|");
    assert_tokens("/* *", "c1 *|");
    assert_tokens("//", "c1|");
    assert_tokens("\"", "s1|");
    assert_tokens("\"\\", "s1\\|");
    assert_tokens("'", "m1|");
}
END_TEST

/* In a buffer of exactly its size, so that AddressSanitizer sees a step beyond. */
START_TEST(any_bytes_are_taken)
{
    CLAUSE("clauses.cited.exists");
    static const char source[] = "a /* b */ \"c\\\"\" 'd' // e\n\\ \"f\n/* g";
    for (size_t length = 0; length < sizeof source; length++) {
        char *copy = malloc(length ? length : 1);
        ck_assert_ptr_nonnull(copy);
        memcpy(copy, source, length);
        struct source_reader reader;
        struct source_token token;
        size_t tokens = 0;
        source_open(&reader, copy, length);
        while (source_next(&reader, &token) != SOURCE_END)
            ck_assert_uint_le(++tokens, length);
        free(copy);
    }
}
END_TEST
