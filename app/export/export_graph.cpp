#include "export/export_graph.h"

#include "io/dot.h"
#include "io/python/script.h"
#include "io/report.h"
#include "ir/provenance.h"
#include "support/error.h"
#include "support/file.h"
#include "support/json/json_text.h"
#include "support/names.h"
#include "support/printable.h"

#ifdef AOTSCOPE_GUI
#include "export/picture_export.h"
#endif

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace aotscope {

namespace {

const std::vector<std::string> kTexts = {"txt", "json", "dot", "py", "pt", "jit"};
#ifdef AOTSCOPE_GUI
constexpr const char *kWriter = "this build", *kPictures = "";
#else
constexpr const char *kWriter = "aotscope-engine", *kPictures = "; the program aotscope, built with Qt, draws pictures";
#endif

}  // namespace

std::vector<std::string> exportFormats() {
    std::vector<std::string> formats = kTexts;
#ifdef AOTSCOPE_GUI
    formats.insert(formats.end(), {"svg", "png", "pdf", "html"});
#endif
    return formats;
}

std::filesystem::path keptValuesFile(std::filesystem::path script) { return script.replace_extension(".values.pt"); }

namespace {

std::string endingOf(const std::filesystem::path& file) {
    return file.extension().string().substr(file.has_extension() ? 1 : 0);
}

/// Texts have neither colours nor modules to collapse.
void refuseStyle(const PictureStyle& style, const std::string& format) {
    const auto refuse = [&](const std::string& option, const std::string& what) {
        throw UsageError(option + ": a " + format + " file has no " + what + "; write svg, png, pdf or html");
    };
    if (!style.colour.empty()) refuse("--colour " + style.colour, "colours");
    if (!style.overlay.empty()) refuse("--overlay " + style.overlay.string(), "colours");
    if (style.colourBlind) refuse("--colour-blind", "colours");
    if (style.depth > 0) refuse("--depth " + std::to_string(style.depth), "modules to close");
}

ScriptGraph scriptGraph(const GraphOfRun& shown, ExampleValues values, const Progress& progress) {
    const auto& [graph, kind, record, session, machine] = shown;
    ScriptGraph script{graph, "the " + std::string(name(kind)) + " graph of " + record.model.name, {}};
    if (kind == GraphKind::source) script.title += ", to be read: without regions such as autocast, and branches";
    if (session) script.example = session->example(graph, kind, values, progress);
    else script.example.whyNone = "the run is paused";
    return script;
}

/// The saved values, if any. Returns a sentence about them.
std::string writeKept(GraphExample& example, const std::filesystem::path& file) {
    if (example.packed.empty()) return {};
    example.values = file.filename().string();
    writeFileAtomically(file, example.packed);
    return ", values of the run to " + file.string();
}

std::string exportPython(ScriptGraph script, const std::filesystem::path& file, const std::filesystem::path& values) {
    const std::string also = writeKept(script.example, values.empty() ? keptValuesFile(file) : values);
    writeFileAtomically(file, printable(pythonScript({script})));
    return also;
}

#ifdef AOTSCOPE_GUI
std::vector<CompilerUse> kernelsFor(const PictureStyle& style, const Session* session, const Progress& progress) {
    if (style.colour != "kernel") return {};
    if (!session)
        throw Error("the kernels of a paused run are not known yet; continue the run or choose other colours");
    return session->compilers(progress);
}
#endif

}  // namespace

std::string exportGraph(const GraphOfRun& shown, std::string format, const std::filesystem::path& file,
                        const PictureStyle& style, const std::filesystem::path& values, const Progress& progress) {
    const auto& [graph, kind, record, session, machine] = shown;
    if (format.empty()) format = endingOf(file);
    const auto formats = exportFormats();
    if (std::find(formats.begin(), formats.end(), format) == formats.end()) {
        std::string known;
        for (const auto& f : formats) known += (known.empty() ? "" : ", ") + f;
        throw UsageError("cannot write '" + file.string() + "' as '" + format + "': " + kWriter + " writes " + known +
                         "; choose one with --format" + kPictures);
    }
    if (std::find(kTexts.begin(), kTexts.end(), format) != kTexts.end()) refuseStyle(style, format);
    if (!values.empty() && format != "py")
        throw UsageError("--values " + values.string() + ": only Python (.py) has values in a file of their own");
    const bool torchScript = format == "pt" || format == "jit";
    if (torchScript && !session)
        throw Error("a paused run has no TorchScript graph yet; continue the run or choose another format");
    std::string what = std::string(name(kind)) + " graph (" + counted(graph.callCount(), "operation") +
                       ") written to " + file.string();
    if (format == "txt") writeFileAtomically(file, printable(printWithProvenance(graph)));
    else if (format == "json") writeFileAtomically(file, jsonText(graphJson(graph)));
    else if (format == "dot") writeFileAtomically(file, printDot(graph));
    else if (format == "py")
        what += exportPython(scriptGraph(shown, values.empty() ? ExampleValues::needed : ExampleValues::all, progress),
                             file, values);
    else if (format == "pt") session->saveTorchScript(graph, kind, TorchScriptForm::module, file);
    else if (format == "jit") session->saveTorchScript(graph, kind, TorchScriptForm::text, file);
#ifdef AOTSCOPE_GUI
    else return what + ", " + exportPicture(shown, format, file, style, kernelsFor(style, session, progress));
#endif
    return what;
}

void requireDifferenceFormat(const std::filesystem::path& file) {
    if (endingOf(file) == "py") return;
#ifdef AOTSCOPE_GUI
    for (const char* format : {"svg", "png", "pdf", "html"})
        if (endingOf(file) == format) return;
    throw UsageError("cannot write the difference as '" + file.string() +
                     "': expected a name that ends in .svg, .png, .pdf, .html or .py");
#else
    throw UsageError("cannot draw '" + file.string() +
                     "': write a .py file, or leave --output out to print the difference" + kPictures);
#endif
}

namespace {

/// Each side has a file of its own.
std::string exportBoth(const ComparedGraphs& graphs, const std::filesystem::path& file, const Progress& progress) {
    const GraphDifference& difference = graphs.difference;
    constexpr ExampleValues needed = ExampleValues::needed;
    std::vector<ScriptGraph> sides = {
        scriptGraph({*difference.before, difference.kindBefore, graphs.before, graphs.sessionBefore}, needed, progress),
        scriptGraph({*difference.after, difference.kindAfter, graphs.after, graphs.sessionAfter}, needed, progress)};
    std::string also;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const std::string side = file.stem().string() + "_" + std::to_string(i + 1) + ".py";
        also += writeKept(sides[i].example, keptValuesFile(file.parent_path() / side));
    }
    writeFileAtomically(file, printable(pythonScript(sides)));
    return also;
}

}  // namespace

std::string exportDifference(const ComparedGraphs& graphs, [[maybe_unused]] const std::string& title,
                             const std::filesystem::path& file, const PictureStyle& style, const Progress& progress) {
    requireDifferenceFormat(file);
    std::string what = "difference (" + summaryOf(graphs.difference) + ") written to " + file.string();
    if (endingOf(file) == "py") {
        refuseStyle(style, "py");
        return what + exportBoth(graphs, file, progress);
    }
#ifdef AOTSCOPE_GUI
    what += ", " + exportDifferencePicture(graphs, title, endingOf(file), file, style);
#endif
    return what;
}

}  // namespace aotscope
