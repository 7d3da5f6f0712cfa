#include "load/archive_code.h"

#include "load/script_definitions.h"
#include "load/script_graph_check.h"
#include "load/script_source_check.h"
#include "load/script_types.h"
#include "support/error.h"

#include <algorithm>

namespace aotscope {

namespace {

/// Bytes of all code in one archive; the largest of our reference files has 113,000.
constexpr std::uint64_t kMostCode = 16'000'000;

std::string lower(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return name;
}

std::string content(caffe2::serialize::PyTorchStreamReader& reader, const std::string& name) {
    auto [data, size] = reader.getRecord(name);
    return {static_cast<const char*>(data.get()), size};
}

ScriptDefinitions readCode(caffe2::serialize::PyTorchStreamReader& reader, const ArchiveRecords& records) {
    const auto isCode = [](const std::string& name) { return name.starts_with("code/") && name.ends_with(".py"); };
    std::uint64_t size = 0;
    for (const auto& [name, record] : records)
        if (isCode(lower(name)) && (size += record.size) > kMostCode)
            throw Error("its code has more than " + std::to_string(kMostCode / 1'000'000) + " MB");
    ScriptDefinitions code;
    for (const auto& [name, record] : records)
        if (isCode(lower(name))) code.add(name, content(reader, name));
    return code;
}

}  // namespace

void judgeArchive(caffe2::serialize::PyTorchStreamReader& reader, const ArchiveRecords& records, OperatorJudge& judge) {
    const ScriptDefinitions code = readCode(reader, records);
    requireShortChains(code);
    requireSmallTypes(code);
    judgeSource(code, judge);
    judgeCodeRunAtLoad(code, judge);
    for (const auto& [name, record] : records)
        if (lower(name).ends_with(".pkl")) judgePickledClasses(content(reader, name), judge);
}

}  // namespace aotscope
