#include "cli/picture_flags.h"

#ifdef AOTSCOPE_GUI
#include "models/node_values.h"
#include "support/enumerators.h"
#include "support/joined.h"
#endif

#include <CLI/CLI.hpp>

namespace aotscope {

#ifdef AOTSCOPE_GUI

CLI::Option* addDepth(CLI::App& app, PictureStyle& picture) {
    return app
        .add_option("--depth", picture.depth,
                    "collapse modules from this depth on: 1 draws the outermost ones as boxes; default: expand "
                    "all")
        ->type_name("N")
        ->check(CLI::Range(1, 1000));
}

CLI::Option* addPalette(CLI::App& app, PictureStyle& picture) {
    return app.add_flag("--colour-blind", picture.colourBlind,
                        "use the palette for colour-blind people, as in the window's preferences");
}

void addColours(CLI::App& app, PictureStyle& picture) {
    std::vector<std::string> names, texts;
    for (const ColourBy by : kEnumerators<ColourBy>) {
        if (!*entryOf(by).help) continue;
        names.push_back(name(by).toStdString());
        texts.emplace_back(entryOf(by).help);
    }
    app.add_option("--colour", picture.colour, "one of " + joined(texts, ", ") + ": what colours show; default: part")
        ->type_name("WHAT")
        ->check(CLI::IsMember(names).description(""));
    app.add_option("--overlay", picture.overlay,
                   "colour nodes by these values: {\"mm\": 3.5, \"relu_1\": \"slow\"}, or one such object per graph")
        ->type_name("FILE.json")
        ->excludes("--colour");
}

#else

CLI::Option* addDepth(CLI::App& /*app*/, PictureStyle& /*picture*/) { return nullptr; }
CLI::Option* addPalette(CLI::App& /*app*/, PictureStyle& /*picture*/) { return nullptr; }
void addColours(CLI::App& /*app*/, PictureStyle& /*picture*/) {}

#endif

}  // namespace aotscope
