#include "load/torchscript/archive_code.h"

#include "load/torchscript/script_definitions.h"
#include "load/torchscript/script_graph_check.h"
#include "load/torchscript/script_source_check.h"
#include "load/torchscript/script_types.h"
#include "support/error.h"

#include <algorithm>

namespace aotscope {

namespace {

/// Bytes of code per archive; the largest of our reference files has 113,000.
constexpr std::uint64_t kMostCode = 16'000'000;

std::string lower(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return name;
}

ScriptDefinitions readCode(ZipArchive& archive) {
    const auto isCode = [](const std::string& name) { return name.starts_with("code/") && name.ends_with(".py"); };
    std::uint64_t size = 0;
    for (const auto& [name, record] : archive.records())
        if (isCode(lower(name)) && (size += record.size) > kMostCode)
            throw Error("its code has more than " + std::to_string(kMostCode / 1'000'000) + " MB");
    ScriptDefinitions code;
    for (const auto& [name, record] : archive.records())
        if (isCode(lower(name))) code.add(name, archive.read(name));
    return code;
}

}  // namespace

void judgeArchive(ZipArchive& archive, OperatorJudge& judge) {
    const ScriptDefinitions code = readCode(archive);
    requireShortChains(code);
    requireSmallTypes(code);
    judgeSource(code, judge);
    judgeCodeRunAtLoad(code, judge);
    for (const auto& [name, record] : archive.records())
        if (lower(name).ends_with(".pkl")) judgePickledClasses(archive.read(name), judge);
}

}  // namespace aotscope
