// Writes every hostile file to a folder, to examine them by hand: make_hostile_files FOLDER.

#include "support/hostile/hostile_files.h"

#include <cstdio>

int main(int argc, char** argv) {
    using namespace aotscope::test;
    if (argc != 2 || !QDir().mkpath(QString::fromLocal8Bit(argv[1]))) {
        std::fprintf(stderr, "usage: make_hostile_files FOLDER\n");
        return 2;
    }
    const Scratch scratch(QString::fromLocal8Bit(argv[1]));
    for (const HostileFile& file : hostileFiles(scratch))
        std::printf("%s\n    %s %s\n", qPrintable(file.name), qPrintable(file.path),
                    qPrintable(file.arguments.join(u' ')));
    return 0;
}
