/* NVRTC as a program: this program, started only for that, so that whatever NVRTC does to its
 * process affects no other. */
#pragma once

/*     assay nvrtc LIBRARY --version
 *     assay nvrtc LIBRARY -sm_90 [-ptx] [-O1] [OPTION...] -o OUTPUT INPUT
 * The first prints the library's version as nvcc prints its own. The second compiles a text for
 * devices of that compute capability, with options of NVRTC's, and prints the first error. Returns
 * main's status. */
int nvrtc_tool_main(int argc, char **argv);
