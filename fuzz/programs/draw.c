/* Values that programs begin with and that stand in them as constants. */
#include "fuzz/programs/draw.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Cut to the width that is wanted. Their lowest 16, 32 and 64 bits are edges of signed, unsigned,
 * packed 16x2 and 8x4 arithmetic, of fields and of shifts. */
static const uint64_t integer_edges[] = {
    0x0000000000000000, 0x0000000000000001, 0x0000000000000002, 0x0000000000000003,
    0x0000000000000007, 0x0000000000000008, 0x000000000000000f, 0x0000000000000010,
    0x000000000000001f, 0x0000000000000020, 0x0000000000000021, 0x000000000000003f,
    0x0000000000000040, 0x000000000000007f, 0x0000000000000080, 0x00000000000000ff,
    0x0000000000000100, 0x0000000000007fff, 0x0000000000008000, 0x000000000000ffff,
    0x0000000000010000, 0x000000007fffffff, 0x0000000080000000, 0x00000000ffffffff,
    0x0000000100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff,
    0xfffffffffffffffe, 0xffffffffffffff80, 0xffffffffffff8000, 0xffffffff80000000,
    0x7fff7fff7fff7fff, 0x8000800080008000, 0x7f7f7f7f7f7f7f7f, 0x8080808080808080,
    0x0001000100010001, 0x00ff00ff00ff00ff, 0xff00ff00ff00ff00, 0x5555555555555555,
    0xaaaaaaaaaaaaaaaa, 0x0123456789abcdef,
};

/* Zero, one, other powers of two, the least and largest of normal and subnormal numbers, ties of
 * conversions to integers and their limits, infinity, NaN. */
static const uint64_t f32_edges[] = {
    0x00000000, 0x00000001, 0x007fffff, 0x00800000, 0x33800000, 0x34000000, 0x3effffff, 0x3f000000,
    0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000, 0x40000000, 0x40200000, 0x40490fdb, 0x43000000,
    0x46fffe00, 0x47000000, 0x477fff00, 0x4b000000, 0x4b7fffff, 0x4b800000, 0x4effffff, 0x4f000000,
    0x4f7fffff, 0x4f800000, 0x5f000000, 0x5f800000, 0x7e800000, 0x7f7fffff, 0x7f800000, 0x7fc00000,
};

static const uint64_t f64_edges[] = {
    0x0000000000000000, 0x0000000000000001, 0x000fffffffffffff, 0x0010000000000000,
    0x3690000000000000, 0x36a0000000000000, 0x380fffffc0000000, 0x3810000000000000,
    0x3ca0000000000000, 0x3cb0000000000000, 0x3fdfffffffffffff, 0x3fe0000000000000,
    0x3fefffffffffffff, 0x3ff0000000000000, 0x3ff0000000000001, 0x3ff0000010000000,
    0x3ff8000000000000, 0x4000000000000000, 0x400921fb54442d18, 0x41dfffffffc00000,
    0x41e0000000000000, 0x41efffffffe00000, 0x41f0000000000000, 0x4330000000000000,
    0x43dfffffffffffff, 0x43e0000000000000, 0x43f0000000000000, 0x47efffffe0000000,
    0x47effffff0000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff8000000000000,
};

/* Draws stand in statements of their own: within one expression C leaves their order open. */
static uint64_t edge(struct draw *draw, enum program_class of_class)
{
    if (of_class != CLASS_F32 && of_class != CLASS_F64)
        return integer_edges[draw_below(draw, COUNT(integer_edges))];
    uint64_t sign = draw_below(draw, 2);
    if (of_class == CLASS_F32)
        return f32_edges[draw_below(draw, COUNT(f32_edges))] ^ sign << 31;
    return f64_edges[draw_below(draw, COUNT(f64_edges))] ^ sign << 63;
}

uint64_t draw_bits(struct draw *draw, enum program_class of_class)
{
    uint64_t bits = 0;
    switch (draw_below(draw, 8)) {
    case 0:
    case 1:
    case 2:
        bits = edge(draw, of_class);
        break;
    case 3:
        bits = edge(draw, of_class);
        bits += draw_below(draw, 5) - 2;
        break;
    case 4: /* a run of ones, or a power of two */
        bits = UINT64_MAX >> draw_below(draw, 64);
        bits = draw_below(draw, 2) ? bits : bits ^ bits >> 1;
        break;
    case 5: /* small; of a number with an exponent a moderate one, so that sums do not saturate */
        bits = of_class == CLASS_F32   ? 0x3c000000 + (draw_word(draw) & 0x87ffffff)
               : of_class == CLASS_F64 ? 0x3f80000000000000 + (draw_word(draw) & 0x80ffffffffffffff)
                                       : draw_below(draw, 70);
        break;
    default:
        bits = draw_word(draw);
        break;
    }
    return class_cut(of_class, bits);
}
