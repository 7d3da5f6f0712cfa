#include "export_graph.h"

#include "io/dot.h"
#include "io/report.h"
#include "ir/provenance.h"
#include "support/error.h"
#include "support/file.h"

#ifdef AOTSCOPE_GUI
#include "picture_export.h"
#endif

#include <nlohmann/json.hpp>

#include <algorithm>

namespace aotscope {

namespace {

const std::vector<std::string> kColourless = {"txt", "json", "dot", "pt", "jit"};

}  // namespace

std::vector<std::string> exportFormats() {
    std::vector<std::string> formats = kColourless;
#ifdef AOTSCOPE_GUI
    formats.insert(formats.end(), {"svg", "png", "pdf", "html"});
#endif
    return formats;
}

std::string exportGraph(const Graph& graph, GraphKind kind, const Session& session, std::string format,
                        const std::filesystem::path& file, const std::string& colour,
                        [[maybe_unused]] const std::filesystem::path& overlay) {
    if (format.empty()) format = file.extension().string().substr(file.has_extension() ? 1 : 0);
    const auto formats = exportFormats();
    if (std::find(formats.begin(), formats.end(), format) == formats.end()) {
        std::string known;
        for (const auto& f : formats) known += (known.empty() ? "" : ", ") + f;
        throw UsageError("cannot write '" + file.string() + "' as '" + format + "': this build writes " + known +
                         "; choose one with --format");
    }
    const bool colourless = std::find(kColourless.begin(), kColourless.end(), format) != kColourless.end();
    if (!colour.empty() && colourless)
        throw UsageError("--colour " + colour + ": a " + format + " file has no colours; write svg, png, pdf or html");
    if (!overlay.empty() && colourless)
        throw UsageError("--overlay " + overlay.string() + ": a " + format +
                         " file has no colours; write svg, png, pdf or html");
    std::string what = std::string(name(kind)) + " graph (" + std::to_string(graph.callCount()) +
                       " operations) written to " + file.string();
    if (format == "txt") writeFileAtomically(file, printWithProvenance(graph));
    else if (format == "json") writeFileAtomically(file, jsonText(graphJson(graph)));
    else if (format == "dot") writeFileAtomically(file, printDot(graph));
    else if (format == "pt") session.saveTorchScript(graph, kind, Session::TorchScriptForm::module, file);
    else if (format == "jit") session.saveTorchScript(graph, kind, Session::TorchScriptForm::text, file);
#ifdef AOTSCOPE_GUI
    else
        return what + ", " +
               exportPicture(graph, kind, *session.record(), format, file, colour.empty() ? "part" : colour, overlay);
#endif
    return what;
}

}  // namespace aotscope
