/* Published vectors of SHA-256 and HMAC, at the edges of a block (sha256.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/sha256.h"
#include "spec/testing.h"

static const char *hex(const unsigned char digest[SHA256_BYTES])
{
    static char text[2 * SHA256_BYTES + 1];
    for (int index = 0; index < SHA256_BYTES; index++)
        snprintf(text + 2 * index, 3, "%02x", digest[index]);
    return text;
}

/* NIST's examples of FIPS 180-4: no byte, one block, two blocks, many. */
START_TEST(digests_are_the_published_ones, "runner.environment.machine")
{
    static const struct {
        const char *text, *digest;
    } table[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
         "lmnopqrsmnopqrstnopqrstu",
         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    };
    unsigned char digest[SHA256_BYTES];
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        sha256(table[row].text, strlen(table[row].text), digest);
        ck_assert_str_eq(hex(digest), table[row].digest);
    }
    char *million = malloc(1000000);
    ck_assert_ptr_nonnull(million);
    memset(million, 'a', 1000000);
    sha256(million, 1000000, digest);
    free(million);
    ck_assert_str_eq(hex(digest),
                     "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* RFC 4231, test cases 1, 2, 3, 6 and 7. */
START_TEST(codes_are_the_published_ones, "runner.environment.machine")
{
    static const struct {
        int key_byte, key_bytes; /* the byte repeated, if key_bytes > 0; else the text */
        const char *key, *text, *code;
    } table[] = {
        {0x0b, 20, NULL, "Hi There",
         "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
        {0, 0, "Jefe", "what do ya want for nothing?",
         "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
        {0xaa, 20, NULL,
         "\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd"
         "\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd\xdd"
         "\xdd\xdd\xdd\xdd\xdd\xdd",
         "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
        {0xaa, 131, NULL, "Test Using Larger Than Block-Size Key - Hash Key First",
         "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
        {0xaa, 131, NULL,
         "This is a test using a larger than block-size key and a larger than block-size data. The "
         "key needs to be hashed before being used by the HMAC algorithm.",
         "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        unsigned char key[131], code[SHA256_BYTES];
        memset(key, table[row].key_byte, sizeof key);
        if (table[row].key)
            sha256_hmac(table[row].key, strlen(table[row].key), table[row].text,
                        strlen(table[row].text), code);
        else
            sha256_hmac(key, (size_t)table[row].key_bytes, table[row].text, strlen(table[row].text),
                        code);
        ck_assert_str_eq(hex(code), table[row].code);
    }
}
