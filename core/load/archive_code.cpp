#include "load/archive_code.h"

#include "load/script_definitions.h"
#include "load/script_graph_check.h"
#include "load/script_source_check.h"
#include "support/error.h"

#include <algorithm>
#include <set>

namespace aotscope {

namespace {

/// Bytes of all code in one archive; the largest of our reference files has 113,000.
constexpr std::uint64_t kMostCode = 16'000'000;

std::string lower(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return name;
}

/// LibTorch finds records whatever the case of their names: of two that differ in it alone, any may be taken.
void requireDistinctNames(const ArchiveRecords& records) {
    std::set<std::string> names;
    for (const auto& [name, record] : records)
        if (!names.insert(lower(name)).second)
            throw Error("the archive holds two records whose names differ from '" + name + "' in their case alone");
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
    requireDistinctNames(records);
    // LibTorch would read it in a way of its own, past all of this.
    if (reader.hasRecord("model.json"))
        throw Error("it was saved by a PyTorch older than 1.4; load it with a newer one and save it again");
    const ScriptDefinitions code = readCode(reader, records);
    requireShortChains(code);
    judgeSource(code, judge);
    judgeCodeRunAtLoad(code, judge);
    for (const auto& [name, record] : records)
        if (lower(name).ends_with(".pkl")) judgePickledClasses(content(reader, name), judge);
}

}  // namespace aotscope
