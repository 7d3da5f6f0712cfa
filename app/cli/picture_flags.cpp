#include "cli/picture_flags.h"

#include <CLI/CLI.hpp>

namespace aotscope {

#ifdef AOTSCOPE_GUI

CLI::Option* addDepth(CLI::App& app, PictureStyle& picture) {
    return app
        .add_option("--depth", picture.depth,
                    "collapse modules from this depth on: 1 draws the outermost ones as boxes; default: all are "
                    "expanded")
        ->type_name("N")
        ->check(CLI::Range(1, 1000));
}

CLI::Option* addPalette(CLI::App& app, PictureStyle& picture) {
    return app.add_flag("--colour-blind", picture.colourBlind,
                        "draw with the palette for colour-blind people, as View > Appearance has it");
}

void addColours(CLI::App& app, PictureStyle& picture) {
    app.add_option("--colour", picture.colour,
                   "what the colours of a picture show: part (forward, backward, recomputed), family of the "
                   "operations, mutation and aliasing, fate (saved, recomputed, neither), dtype, module, bytes, live "
                   "memory while it runs, estimated time, age (the pass that made the node), or kernel (nodes that "
                   "one kernel computes); default: part")
        ->check(CLI::IsMember(
            {"part", "family", "mutation", "fate", "dtype", "module", "bytes", "live", "estimated", "age", "kernel"}));
    app.add_option("--overlay", picture.overlay,
                   "colour a picture by values of nodes: {\"mm\": 3.5, \"relu_1\": \"slow\"}, or by graph")
        ->type_name("FILE.json")
        ->excludes("--colour");
}

#else

CLI::Option* addDepth(CLI::App& /*app*/, PictureStyle& /*picture*/) { return nullptr; }
CLI::Option* addPalette(CLI::App& /*app*/, PictureStyle& /*picture*/) { return nullptr; }
void addColours(CLI::App& /*app*/, PictureStyle& /*picture*/) {}

#endif

}  // namespace aotscope
