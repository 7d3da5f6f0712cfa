#include "load/torchscript/archive_code.h"

#include "load/torchscript/script_definitions.h"
#include "load/torchscript/script_source_check.h"
#include "load/torchscript/script_types.h"
#include "support/error.h"

namespace aotscope {

namespace {

/// Bytes of code per archive; the largest of our reference files has 113,000.
constexpr std::uint64_t kMostCode = 16'000'000;

ScriptDefinitions readCode(ZipArchive& archive) {
    const auto isCode = [](const std::string& name) { return name.starts_with("code/") && name.ends_with(".py"); };
    std::uint64_t size = 0;
    for (const auto& [name, record] : archive.records())
        if (isCode(lowercase(name)) && (size += record.size) > kMostCode)
            throw Error("its code has more than " + std::to_string(kMostCode / 1'000'000) + " MB");
    ScriptDefinitions code;
    for (const auto& [name, record] : archive.records())
        if (isCode(lowercase(name))) code.add(name, archive.read(name));
    return code;
}

}  // namespace

void judgeArchive(ZipArchive& archive, OperatorJudge& judge) {
    const ScriptDefinitions code = readCode(archive);
    requireShortChains(code);
    requireSmallTypes(code);
    judgeSource(code, judge);
    judgeCodeRunAtLoad(code, judge);
}

}  // namespace aotscope
