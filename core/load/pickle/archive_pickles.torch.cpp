#include "load/pickle/archive_pickles.h"

#include "program/files/memory_reader.h"
#include "support/error.h"
#include "support/quoted.h"

#include <ATen/core/enum_type.h>
#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/serialization/import_source.h>

#include <algorithm>

namespace aotscope {

namespace {

namespace jit = torch::jit;

constexpr std::size_t kMostArchiveValues = 4'000'000;

/// The sizes of the records `folder`KEY of an archive.
StorageSizes storagesIn(const ArchiveRecords& records, const std::string& folder) {
    return [&records, folder](const std::string& key) -> std::optional<std::uint64_t> {
        const auto it = records.find(folder + key);
        return it == records.end() ? std::nullopt : std::optional(it->second.size);
    };
}

/// Kernels use the bytes of booleans as indices.
void requireTruthValues(ZipArchive& archive, const std::string& record) {
    if (!archive.contains(record)) return;
    const std::string_view bytes = archive.bytes(record);
    if (std::any_of(bytes.begin(), bytes.end(), [](unsigned char byte) { return byte > 1; }))
        throw Error("record " + inQuotes(record) + " holds booleans other than 0 and 1");
}

/// The folder of a pickle's storages: "data/" for "data.pkl".
std::string folderOf(const std::string& pickle) { return pickle.substr(0, pickle.rfind('.')) + "/"; }

PickleFacts checkPickle(const std::string& name, std::string_view pickle, const ArchiveRecords& records) {
    if (name.ends_with(".debug_pkl")) return requireSoundDebugPickle(pickle);
    // Recorded inputs have shapes, but no elements.
    const StorageSizes unknown = [](const std::string&) { return std::nullopt; };
    return requireSoundPickle(pickle, name == "traced_inputs.pkl" ? unknown : storagesIn(records, folderOf(name)));
}

bool isMember(const c10::TypePtr& type, const PickledEnum& member) {
    const auto* declared = type ? type->castRaw<c10::EnumType>() : nullptr;
    if (!declared) return false;
    const c10::IValue wanted = std::visit([](const auto& value) { return c10::IValue(value); }, member.value);
    const auto& known = declared->enumNamesValues();
    return std::any_of(known.begin(), known.end(), [&](const auto& entry) { return entry.second == wanted; });
}

}  // namespace

PickleFacts requireSoundPickles(ZipArchive& archive) {
    PickleFacts all;
    for (const auto& [stored, record] : archive.records()) {
        const std::string name = lowercase(stored);
        const bool isPickle = name.ends_with(".pkl") || name.ends_with(".debug_pkl");
        if (!isPickle && !record.packed) continue;
        const std::string pickle = archive.read(stored);
        if (!isPickle) continue;
        PickleFacts facts = checkPickle(name, pickle, archive.records());
        all.values += facts.values;
        if (all.values > kMostArchiveValues)
            throw Error("its pickles hold more than " + std::to_string(kMostArchiveValues) + " values");
        std::move(facts.enums.begin(), facts.enums.end(), std::back_inserter(all.enums));
        all.customClasses.merge(facts.customClasses);
        if (name != "traced_inputs.pkl")
            for (const std::string& key : facts.truthStorages) requireTruthValues(archive, folderOf(name) + key);
    }
    return all;
}

void requireEnumMembers(ZipArchive& archive, const std::vector<PickledEnum>& members) {
    if (members.empty()) return;
    const auto source = [&](const std::string& qualifier) -> std::shared_ptr<jit::Source> {
        std::string path = "code/" + qualifier;
        std::replace(path.begin(), path.end(), '.', '/');
        path += ".py";
        return archive.contains(path) ? std::make_shared<jit::Source>(archive.read(path), path, 1) : nullptr;
    };
    const std::vector<c10::IValue> constants;
    const caffe2::serialize::PyTorchStreamReader reader(std::make_shared<MemoryReader>(archive.content()));
    const jit::SourceImporter importer(std::make_shared<jit::CompilationUnit>(), &constants, source, reader.version());
    for (const PickledEnum& member : members)
        if (!isMember(importer.loadType(c10::QualifiedName(member.type)), member))
            throw Error("it holds a member of " + inQuotes(member.type) + " that the enumeration does not have");
}

}  // namespace aotscope
