/* main() of a test that has none of its own (testing.h). */
#include "spec/testing.h"

int main(int argc, char **argv)
{
    return testing_begin ? testing_begin(argc, argv) : testing_run(argc, argv);
}
