#include "cli.h"

int main(int argc, char** argv) { return aotscope::runCommandLine(argc, argv); }
