#include "export/export_minified.h"

#include "io/python/script.h"
#include "ir/printer.h"
#include "support/file.h"
#include "support/printable.h"

namespace aotscope {

std::vector<std::filesystem::path> minifiedFiles(const std::filesystem::path& script) {
    if (script.empty()) return {};
    std::filesystem::path values = script, text = script;
    return {script, values.replace_extension(".pt"), text.replace_extension(".txt")};
}

std::string exportMinified(const MinifyResult& result, const CompileRecord& record,
                           const std::filesystem::path& script) {
    const auto files = minifiedFiles(script);
    ScriptGraph written{*result.graph,
                        "a part of the " + std::string(name(result.kind)) + " graph of " + record.model.name + " (" +
                            result.found + ")",
                        result.example};
    written.example.values = files[1].filename().string();
    writeFileAtomically(files[1], result.example.packed);
    writeFileAtomically(files[2], printable(printGraph(*result.graph, Detail::full)));
    writeFileAtomically(script, printable(pythonScript({written})));
    return "written to " + script.string() + ", " + files[1].string() + " and " + files[2].string();
}

}  // namespace aotscope
