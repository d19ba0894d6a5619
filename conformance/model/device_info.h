/* Which devices there are, what each is and what it can do: a row of device_kinds for each sort, a
 * struct device_info for each device, and how many blocks of a kernel its SMs hold.
 *
 *     const struct device_kind *kind = device_kind(info);   // ask the row, not which device it is
 *     if (block_needs_of(&info->sm, kernel, &figures, &needs))
 *         blocks = occupancy_of(&info->sm, &needs).blocks;
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conformance/base/reason.h"
#include "cpu_ref/golden.h"
#include "cuda/driver.h"
#include "cuda/kernel.h"

/* Occupancy: how many blocks of a kernel an SM holds at once, and what keeps it from holding more.
 * A model of our own, from the limits of the device alone; spec/occupancy.md has its rules. */
/* Figures of one function's machine code. */

struct code_figures {
    uint32_t registers;    /* a thread */
    uint32_t local_bytes;  /* a thread: spilled registers, arrays, and the frames of calls */
    uint64_t shared_bytes; /* a block, static, without what the system reserves */
    uint64_t code_bytes;   /* 0 if the code itself is not known */
    uint64_t code_hash;    /* XXH3 of 64 bits of those bytes */
    uint32_t max_threads;  /* of a block; 0: not known */
};

/* The limits of one SM. Plain data: it travels between processes. */
struct sm_limits {
    int warp_size;
    int block_threads; /* of one block, at most */
    int threads;       /* of all blocks on it */
    int blocks;
    int registers;       /* of 32 bits each */
    int register_unit;   /* a warp's registers are a multiple of it */
    int partitions;      /* each has its share of the registers; a warp is in one */
    int shared_bytes;    /* of all blocks on it */
    int block_shared;    /* of one block, static and dynamic together */
    int shared_unit;     /* a block's bytes are a multiple of it */
    int shared_reserved; /* that the system takes in addition, for each block */
};

/* The needs of one block. */
struct block_needs {
    int threads;
    int registers;    /* a thread; 0: none that count */
    int shared_bytes; /* static and dynamic together */
    bool opts_in;     /* to as much as an SM has, but for the reserve */
};

enum occupancy_limit {
    OCCUPANCY_THREADS, /* more blocks would have too many warps */
    OCCUPANCY_BLOCKS,
    OCCUPANCY_REGISTERS,
    OCCUPANCY_SHARED,
    OCCUPANCY_LIMIT_COUNT
};

struct occupancy {
    int blocks; /* at once; 0: the device cannot launch such a block */
    int warps;
    int most_warps;                     /* that the SM could hold */
    int allowed[OCCUPANCY_LIMIT_COUNT]; /* blocks, were it for this limit alone; INT_MAX: any */
};

/* The comparison with a driver's answers about a function. Plain data: it travels between
 * processes. */
struct occupancy_comparison {
    int compared; /* blocks that it was asked about: threads, shared memory; 0: it was not */
    int differing;
    /* The first that differs: */
    struct block_needs needs;
    int model, driver; /* blocks of an SM */
};

/* The limits of an architecture (90 for sm_90) as in spec/architectures.def. False, with those of
 * the nearest one below it or else of the lowest, where the table does not have it. */
bool sm_limits_of(int architecture, struct sm_limits *ret);

/* The needs of a block of the kernel's own size, whose function has those figures. False if the
 * device cannot hold such a block. */
bool block_needs_of(const struct sm_limits *sm, const struct kernel *kernel,
                    const struct code_figures *figures, struct block_needs *ret);

/* How many such blocks the SM holds. `needs` has at least one thread and nothing negative. */
struct occupancy occupancy_of(const struct sm_limits *sm, const struct block_needs *needs);

/* Its warps in percent of those that the SM could hold. */
double occupancy_percent(const struct occupancy *occupancy);

/* The limits that bind, in words, with "+" between those that allow the same: "registers+threads".
 * Returns `ret_text`. */
enum { OCCUPANCY_TEXT_BYTES = 40 };
const char *occupancy_limits_text(const struct occupancy *occupancy,
                                  char ret_text[OCCUPANCY_TEXT_BYTES]);

/* Memory traffic of a warp's load or store, in aligned pieces: sectors of 32 bytes, lines of 128. A
 * model of our own; spec/transactions.md has its rules and what a GPU counts. */

enum { TRANSACTION_SECTOR_BYTES = 32, TRANSACTION_LINE_BYTES = 128 };

/* The elements of a warp's threads, thread after thread. */
struct warp_access {
    uint64_t first_byte;   /* of thread 0's element, from an aligned address */
    uint64_t stride_bytes; /* from one thread's element to the next one's; 0: all have one */
    int element_bytes;
    int threads; /* those that take part: 1 to 32 */
};

/* Aligned pieces of that many bytes that hold a byte of an element: with sectors what the warp asks
 * for, with lines in how many requests. Clauses: transactions.asked.sectors,
 * transactions.asked.lines. */
uint64_t transactions_asked(const struct warp_access *access, int piece_bytes);

/* Bytes that memory moves for a load whose data is in no cache, where L2 fetches `fetch_bytes` at a
 * time: 32, 64 or 128. Clause: transactions.fetched.granularity. */
uint64_t transactions_loaded(const struct warp_access *access, int fetch_bytes);

/* The same for a store: its sectors, and with a stride once more, as it fills each only in part.
 * Clause: transactions.stored.filled. */
uint64_t transactions_stored(const struct warp_access *access);

/* The driver's part that runs in a process: its libraries, as files. */

enum library { LIBRARY_CUDA, LIBRARY_JIT, LIBRARY_NVML, LIBRARY_COUNT };

struct library_file {
    char path[256];   /* of the file itself, no link; "" where none was loaded */
    char version[32]; /* from the file's name: "580.159.04"; "" where that has none */
    uint64_t bytes;
};

/* "libcuda", "jit" or "nvml". */
const char *library_name(enum library library);

/* NVML's data on a GPU besides its name: the board, its links and limits. A fact of the environment
 * that no check rests on; whatever is not known is left out. */

/* Numbers of the rows of board_rows (nvml.c) and of the record's fields. */
enum board_value {
    BOARD_ECC, /* 1: on */
    BOARD_MIG,
    BOARD_PCIE_GENERATION,
    BOARD_PCIE_GENERATION_MAX,
    BOARD_PCIE_WIDTH, /* lanes */
    BOARD_PCIE_WIDTH_MAX,
    BOARD_POWER_LIMIT, /* mW */
    BOARD_POWER_LIMIT_DEFAULT,
    BOARD_APPLICATION_SM_MHZ,
    BOARD_APPLICATION_MEMORY_MHZ,
    BOARD_VALUE_COUNT
};

enum { BOARD_TEXT_BYTES = 32 };

struct board {
    char vbios[BOARD_TEXT_BYTES];  /* "96.00.A5.00.01"; "" where it is not known */
    char serial[BOARD_TEXT_BYTES]; /* "1650223012345"; "" where it is not known */
    uint32_t known;                /* a bit for each value */
    uint32_t values[BOARD_VALUE_COUNT];
};

/* A GPU's own reports while it is timed. */

/* One look. What the library does not report is 0 (and without ECC there are no errors to
 * report). */
struct nvml_reading {
    uint32_t sm_mhz;
    uint32_t memory_mhz;
    uint32_t temperature_c;
    uint32_t power_mw;
    uint64_t reasons;         /* clocks event reasons, formerly throttle reasons */
    uint64_t ecc_uncorrected; /* volatile: since the driver was loaded */
    bool ecc_known;           /* else the count is unknown, and says nothing */
};

/* Other processes that compute on the device besides this one, which must. */
struct nvml_company {
    int32_t others; /* 0 also where the library does not say */
    uint32_t pid;   /* of one of them; 0 if it may be this process's own */
};

enum { DEVICE_TEXT_BYTES = 128, DEVICE_UUID_BYTES = 48, DEVICE_PCI_BYTES = 24 };
enum { DEVICE_UUIDS_BYTES = 16 * DEVICE_UUID_BYTES }; /* of a set */

/* What a user's file has of one GPU model (spec/gpu_file.md). Plain data: it travels between
 * processes. */
struct gpu_row {
    int32_t of;                  /* 137; 0: there is no such file */
    char gpu[DEVICE_TEXT_BYTES]; /* the model's name */
    struct golden_filter filter; /* of the model; weight_bits 0: the file has none */
    /* Of its architecture, as a row of spec/architectures.def; threads 0: the file has none. */
    int32_t threads, blocks, shared_bytes, shared_unit, shared_reserved;
};

/* The row of this process, which each worker that it starts gets; set before there are threads.
 * Limits in it are those of sm_limits_of. Clauses: gpu_file.filter.used, gpu_file.limits.used. */
void gpu_row_set(const struct gpu_row *row);
const struct gpu_row *gpu_row_known(void);

struct device_info;

/* The texture filter of the device's model: the file's, or that of spec/filters.def; else NULL. */
const struct golden_filter *gpu_row_filter(const struct device_info *info);

/* A sort of device: what is asked of a device is asked of this row, and not which it is. */
struct device_kind {
    const char *label; /* "cuda:": a device's name begins with it */
    bool is_numbered;  /* and goes on with its number */
    int paths_of;      /* it takes the code paths of that kind */
    /* Fills the driver's table. False with the reason. */
    bool (*open_driver)(struct cuda_driver *ret, struct reason *ret_reason);
    bool is_gpu; /* what it shows is shown of a GPU */
    /* This CPU runs its kernels, thread after thread, in the thread that launches them: what it
     * shows is nothing of a GPU. */
    bool is_emulated;
    bool is_timed;        /* its times are a device's: floors hold, and it has sensors */
    bool is_shared;       /* threads of one worker share it; else each core has a worker */
    bool has_one_nan;     /* its arithmetic makes no other NaN than 0x7fffffff */
    bool has_choice;      /* of code paths: --path names some of its own */
    bool has_sets;        /* several of it can be one device: "cuda:0+1" */
    int64_t elements_max; /* of an operand, in every tier but huge */
};

/* Numbers of the rows, to make a device with. */
enum { DEVICE_GPU, DEVICE_HOST, DEVICE_ARCHITECTURE, DEVICE_KIND_COUNT };
extern const struct device_kind device_kinds[DEVICE_KIND_COUNT];

/* Devices of one kind in an order, by their numbers with that kind's driver: one GPU, or several of
 * which the first acts and the others hold memory that it reaches. {0, 1} is not {1, 0}. All zero
 * but the kind is the first device. Plain data: it travels between processes. */
enum { DEVICE_SET_MAX = 16 };
struct device_set {
    int32_t kind;
    int32_t others; /* after the first: 0 for one device */
    int32_t ordinal[DEVICE_SET_MAX];
};

/* A set of one device, and that of one member of a set. */
struct device_set device_set_of(int kind, int ordinal);
struct device_set device_set_member(const struct device_set *set, int member);

/* Writes each ordered pair of `count` different devices to `ret`, which has room for
 * count * (count - 1) sets, and returns their number. Pairs come in rounds: in a round no device is
 * in two pairs, except that each pair is followed by its reverse. {0, 1, 2, 3} has three rounds of
 * four sets. Clause: peer_copy.set.pairs. */
int device_pairs(const struct device_set *devices, int count, struct device_set *ret);

/* True if both can run at the same time: two single devices, or sets that are of the same devices
 * or have none in common. */
bool device_sets_can_run_together(const struct device_set *left, const struct device_set *right);

/* False if the number of devices is out of range, an ordinal is negative, or two are equal. */
bool device_set_is_valid(const struct device_set *set);

/* The host device. */
extern const struct device_set device_host;

/* A device, as the first lines and the record report it. */
struct device_info {
    struct device_set id;
    int32_t index; /* in its session: a subject's `device` */
    char name[DEVICE_TEXT_BYTES];
    char uuid[DEVICE_UUIDS_BYTES]; /* what two records of the same device have in common: of a set
                                    * those of its members in order, joined by + */
    char pci[DEVICE_PCI_BYTES];    /* "00000000:17:00.0", as nvidia-smi has it; "": not known */
    int driver_version;            /* the CUDA that it runs: 13000 for 13.0; 0 on the host device */
    char driver_release[32]; /* its own version, 580.159.04; "" where the system does not say */
    uint64_t memory_bytes;
    int memory_clock_khz;
    int memory_bus_bits;
    int sm_clock_khz;
    int l2_bytes;
    int l2_fetch_bytes; /* that L2 fetches from memory at a time: 32, 64 or 128; 0: not known */
    int compute_mode;   /* CU_COMPUTE_MODE_DEFAULT, or it opens for one process at a time */
    struct device_limits limits;
    struct sm_limits
        sm; /* as the driver has them, and what no driver reports of its architecture */
};

/* The bytes of its memory that one measurement may fill: the largest power of two that fits into it
 * 6.6 times, so from a thirteenth to a seventh of it. Drivers and MIG modes report a few per cent
 * more or less of one memory; 13.2 GiB, 6.6 GiB and so on are at least 8 % from all that GPUs and
 * their slices have. Clauses: bandwidth.shape.sizes, bandwidth.sweep.figures,
 * bandwidth.regime.cold. */
uint64_t device_share_bytes(const struct device_info *info);

/* Peaks that follow from the device's attributes: of its memory, 2 x memory clock x bus; of its L2
 * cache, 64 bytes a clock of each multiprocessor (its intake); and of f32 arithmetic,
 * multiprocessors x lanes x 2 x clock. 0 if the driver does not report one of these. */
double device_peak_gbps(const struct device_info *info);
double device_l2_peak_gbps(const struct device_info *info);
double device_peak_gflops(const struct device_info *info);

/* Identity of a device before it is opened. */
struct device_identity {
    char uuid[DEVICE_UUID_BYTES]; /* "" where the driver does not say */
    int compute_capability;       /* 0 if the driver does not say */
    int compute_mode;             /* as in device_info */
};

const struct device_kind *device_kind(const struct device_info *info);

/* The same devices in the same order. */
bool device_is_same(struct device_set left, struct device_set right);

/* "cuda:0", "host" or "sm_90"; of several "cuda:0+1" or "host:0+1". Returns `ret_text`. */
enum { DEVICE_LABEL_BYTES = 64 };
const char *device_label(struct device_set id, char ret_text[DEVICE_LABEL_BYTES]);

/* True if the label is of one device, so that counting these counts GPUs. */
bool device_is_single(const char *label);

/* The kind of a device of that label, as a record has it: a GPU's where none is known. */
const struct device_kind *device_kind_of(const char *label);

/* The devices with that label. False if none have it, as where it names one twice. */
bool device_find(const char *label, struct device_set *ret);
