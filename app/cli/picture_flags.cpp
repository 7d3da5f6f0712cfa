#include "cli/picture_flags.h"

#ifdef AOTSCOPE_GUI
#include "canvas/theme.h"
#include "support/enumerators.h"
#include "support/joined.h"
#endif

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
                        "use the palette for colour-blind people, as in View > Appearance");
}

void addColours(CLI::App& app, PictureStyle& picture) {
    std::vector<std::string> names, texts;
    const auto add = [&](const QString& name, const ColourEntry& entry) {
        if (!*entry.help) return;
        names.push_back(name.toStdString());
        texts.emplace_back(entry.help);
    };
    for (const auto& [by, entry] : themeColours()) add(name(by), entry);
    for (const Dimension dimension : kEnumerators<Dimension>) add(name(dimension), entryOf(dimension));
    texts.back().insert(0, "or ");
    app.add_option("--colour", picture.colour,
                   "what the colours of a picture show: " + joined(texts, ", ") + "; default: part")
        ->check(CLI::IsMember(names));
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
