/* The version that a PTX text asks for. nvcc writes its own, however old the instructions are, and
 * a ptxas or a driver refuses a text of a later version than it knows: so assay embeds each text
 * with the lowest version that has all that is in it. */
#ifndef ASSAY_CUDA_EMBED_PTX_VERSION_H
#define ASSAY_CUDA_EMBED_PTX_VERSION_H

/* Ten times the lowest version that has the target, the directives, the instructions and the
 * special registers of the text: 78 for 7.8. 0 where something in it is not in the tables of
 * ptx_version.c, which are sure of what they have: then the version that the compiler wrote is to
 * stay. */
int ptx_version_needed(const char *text);

/* Puts that version in place of the one that the text has, if it is lower. Its length stays. */
void ptx_version_lower(char *text);

#endif
