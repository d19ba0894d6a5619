/* SHA-256 (FIPS 180-4) and HMAC with it (RFC 2104), for the id of a machine (host.h): a libsystemd
 * or libcrypto would be a dependency for one hash of 16 bytes. Not for secrets: its time depends on
 * nothing but the number of bytes, and it leaves copies in memory.
 *
 *     unsigned char digest[SHA256_BYTES];
 *     sha256_hmac(key, sizeof key, text, strlen(text), digest); */
#pragma once

#include <stddef.h>

enum { SHA256_BYTES = 32, SHA256_BLOCK_BYTES = 64 };

/* The digest of `bytes` bytes. */
void sha256(const void *text, size_t bytes, unsigned char ret[SHA256_BYTES]);

/* The code of the text by the key. */
void sha256_hmac(const void *key, size_t key_bytes, const void *text, size_t bytes,
                 unsigned char ret[SHA256_BYTES]);
