/* SHA-256 and HMAC (sha256.h). The names are those of FIPS 180-4. Clause:
 * runner.environment.machine. */
#include "conformance/base/sha256.h"

#include <stdint.h>
#include <string.h>

enum { WORDS = 8, ROUNDS = 64 };

struct hash {
    uint32_t words[WORDS];
    unsigned char block[SHA256_BLOCK_BYTES];
    uint64_t bytes; /* so far */
};

/* The first 32 bits of the fractional parts of the square roots of the first 8 primes, and of the
 * cube roots of the first 64. */
static const uint32_t first_words[WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
static const uint32_t round_words[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotr(uint32_t word, int bits)
{
    return word >> bits | word << (32 - bits);
}

static void add_block(struct hash *hash)
{
    uint32_t w[ROUNDS], it[WORDS];
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)hash->block[4 * t] << 24 | (uint32_t)hash->block[4 * t + 1] << 16 |
               (uint32_t)hash->block[4 * t + 2] << 8 | hash->block[4 * t + 3];
    for (int t = 16; t < ROUNDS; t++)
        w[t] = w[t - 16] + w[t - 7] + (rotr(w[t - 15], 7) ^ rotr(w[t - 15], 18) ^ w[t - 15] >> 3) +
               (rotr(w[t - 2], 17) ^ rotr(w[t - 2], 19) ^ w[t - 2] >> 10);
    memcpy(it, hash->words, sizeof it);
    for (int t = 0; t < ROUNDS; t++) {
        const uint32_t a = it[0], b = it[1], c = it[2], e = it[4], f = it[5], g = it[6];
        const uint32_t t1 = it[7] + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) +
                            ((e & f) ^ (~e & g)) + round_words[t] + w[t];
        const uint32_t t2 =
            (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        memmove(it + 1, it, (WORDS - 1) * sizeof *it);
        it[4] += t1;
        it[0] = t1 + t2;
    }
    for (int word = 0; word < WORDS; word++)
        hash->words[word] += it[word];
}

static void hash_open(struct hash *ret)
{
    memcpy(ret->words, first_words, sizeof ret->words);
    ret->bytes = 0;
}

static void hash_add(struct hash *hash, const void *text, size_t bytes)
{
    for (size_t index = 0; index < bytes; index++) {
        hash->block[hash->bytes++ % SHA256_BLOCK_BYTES] = ((const unsigned char *)text)[index];
        if (hash->bytes % SHA256_BLOCK_BYTES == 0)
            add_block(hash);
    }
}

static void hash_close(struct hash *hash, unsigned char ret[SHA256_BYTES])
{
    enum { LENGTH_BYTES = 8 };
    static const unsigned char one = 0x80, zero = 0;
    const uint64_t bits = 8 * hash->bytes;
    unsigned char length[LENGTH_BYTES];
    for (int index = 0; index < LENGTH_BYTES; index++)
        length[index] = (unsigned char)(bits >> (8 * (LENGTH_BYTES - 1 - index)));
    hash_add(hash, &one, 1);
    while (hash->bytes % SHA256_BLOCK_BYTES != SHA256_BLOCK_BYTES - LENGTH_BYTES)
        hash_add(hash, &zero, 1);
    hash_add(hash, length, sizeof length);
    for (int index = 0; index < SHA256_BYTES; index++)
        ret[index] = (unsigned char)(hash->words[index / 4] >> (24 - 8 * (index % 4)));
}

void sha256(const void *text, size_t bytes, unsigned char ret[SHA256_BYTES])
{
    struct hash hash;
    hash_open(&hash);
    hash_add(&hash, text, bytes);
    hash_close(&hash, ret);
}

void sha256_hmac(const void *key, size_t key_bytes, const void *text, size_t bytes,
                 unsigned char ret[SHA256_BYTES])
{
    static const unsigned char pads[] = {0x36, 0x5c}; /* ipad, opad */
    unsigned char own[SHA256_BLOCK_BYTES] = {0}, padded[SHA256_BLOCK_BYTES], inner[SHA256_BYTES];
    if (key_bytes > SHA256_BLOCK_BYTES)
        sha256(key, key_bytes, own);
    else
        memcpy(own, key, key_bytes);
    for (int pass = 0; pass < 2; pass++) {
        struct hash hash;
        for (int index = 0; index < SHA256_BLOCK_BYTES; index++)
            padded[index] = own[index] ^ pads[pass];
        hash_open(&hash);
        hash_add(&hash, padded, sizeof padded);
        hash_add(&hash, pass ? inner : text, pass ? sizeof inner : bytes);
        hash_close(&hash, pass ? ret : inner);
    }
}
