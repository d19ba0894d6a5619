/* The version that PTX gets (ptx_version.h): texts by hand, and those of the build. */
#include "cuda/embed/ptx_version.h"
#include "cuda/image.h"
#include "spec/testing.h"

#include <stdio.h>
#include <string.h>

START_TEST(a_text_needs_what_is_in_it)
{
    CLAUSE("driver.images.version");
    static const struct {
        int version;
        const char *text;
    } table[] = {
        {60, ""},
        {63, ".version 9.0\n.target sm_75\n"},
        {78,
         "// it\n.version 9.0\n.target sm_90\n.address_size 64\n.visible .entry f(.param .u64 a)"},
        {86, ".target sm_100"},
        {0, ".target sm_90a"},
        {0, ".target sm_999"},
        {60, "{ .reg .b32 %r<9>; add.s32 %r1, %r2, 7; @%p1 bra $L; $L: ret; }"},
        {60, "@!%p1 mov.u32 %r1, %tid.x;"},
        {0, "mov.u32 %r1, %clusterid.x;"},
        {62, "activemask.b32 %r1;"},
        {70, "cp.async.ca.shared.global [%r1], [%rd1], 16;"},
        {0, "cp.async.ca.shared.global.L2::128B [%r1], [%rd1], 16;"},
        {80, "$L__BB0_2: fence.proxy.async.shared::cta;"},
        {80, "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], %r2;"},
        {78, "mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], %r2;"},
        {81, "st.async.b32 [%r1], %r2;"},
        {60, "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];"},
        {88, "ld.global.v4.b64 {%rd1, %rd2, %rd3, %rd4}, [%rd5];"},
        {0, "add.rn.f32x2 %rd1, %rd2, %rd3;"},
        {0, "wgmma.fence.sync.aligned;"},
        {0, ".maxclusterrank 4"},
        {60, ".pragma \"nounroll; wgmma\"; // wgmma\n/* tcgen05.ld */ ret;"},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++)
        ck_assert_msg(ptx_version_needed(table[row].text) == table[row].version, "%s: %d",
                      table[row].text, ptx_version_needed(table[row].text));
}
END_TEST

START_TEST(a_version_is_lowered_and_never_raised)
{
    CLAUSE("driver.images.version");
    static const char *const table[][2] = {
        {".version 9.0\n.target sm_90\n", ".version 7.8\n.target sm_90\n"},
        {".version 7.0\n.target sm_90\n", ".version 7.0\n.target sm_90\n"},
        {".version 9.0\n.target sm_90a\n", ".version 9.0\n.target sm_90a\n"},
        {".version 10.0\n.target sm_90\n", ".version 10.0\n.target sm_90\n"},
        {".target sm_90\n", ".target sm_90\n"},
        {".version ", ".version "},
        {"", ""},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        char text[64];
        snprintf(text, sizeof text, "%s", table[row][0]);
        ptx_version_lower(text);
        ck_assert_str_eq(text, table[row][1]);
    }
}
END_TEST

START_TEST(every_text_of_the_build_is_known)
{
    CLAUSE("driver.images.version");
    for (int index = 0; index < image_count; index++)
        for (int ptx = 0; ptx < images[index].ptx_count; ptx++) {
            const char *text = (const char *)images[index].ptx[ptx].text;
            const int needed = ptx_version_needed(text);
            char line[32];
            snprintf(line, sizeof line, "\n.version %d.%d\n", needed / 10, needed % 10);
            ck_assert_msg(needed > 0 && strstr(text, line), "%s", images[index].unit);
        }
}
END_TEST
