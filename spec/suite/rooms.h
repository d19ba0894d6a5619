/* The rooms, and the rules of the include graph (spec/rooms.md). */
#ifndef ASSAY_SPEC_SUITE_ROOMS_H
#define ASSAY_SPEC_SUITE_ROOMS_H

#include <stddef.h>

/* Two files or folders; a folder means every file below it. */
struct arrow {
    const char *from;
    const char *to;
    const char *reason;
};

struct house {
    /* Folders, from the top down. A file belongs to the longest that holds it; a room that has
     * rooms inside owns the files that lie in it directly. */
    const char *const *rooms;
    size_t room_count;
    /* Rooms of which neither reaches a file that the other reaches. */
    const struct arrow *apart;
    size_t apart_count;
    /* Arrows that are excepted from the rules; the last has no `from`. */
    const struct arrow *excepted;
    const struct arrow *ignored; /* an exception that is none for now; NULL: they all are */
};

extern const struct house the_house;

#endif
