#include "program/files/safetensors_file.h"

#include "aten/convert.h"
#include "program/files/safetensors_header.h"
#include "program/files/tensor_bytes.h"
#include "support/error.h"
#include "support/json/bounded_json.h"
#include "support/quoted.h"

#include <algorithm>

namespace aotscope {

namespace {

using nlohmann::json;

constexpr int kDeepestHeader = 3;  // the document, a tensor, its shape

json parseHeader(std::string_view text) {
    JsonBounds bounds;
    bounds.depth = kDeepestHeader;
    bounds.distinct = true;
    json header;
    try {
        header = parseBounded(text, bounds);
    } catch (const Error& e) {
        throw Error(std::string("its header ") + e.what());
    } catch (const json::exception&) {
        throw Error("its header is not valid JSON");
    }
    if (!header.is_object()) throw Error("its header is not a JSON object");
    return header;
}

at::ScalarType safetensorsElementType(const std::string& name) {
    if (const auto dtype = dtypeSpelled(&DTypeSpellings::safetensors, name)) return toScalarType(*dtype);
    throw Error("of the unknown dtype " + inQuotes(name));
}

std::vector<std::uint64_t> unsignedList(const json& entry, const char* key) {
    const auto it = entry.find(key);
    if (it == entry.end() || !it->is_array()) throw Error(std::string("without a list '") + key + "'");
    std::vector<std::uint64_t> values;
    for (const json& element : *it) {
        if (!element.is_number_unsigned()) throw Error(std::string("with a '") + key + "' that is not made of sizes");
        values.push_back(element.get<std::uint64_t>());
    }
    return values;
}

struct Entry {
    std::uint64_t begin = 0, end = 0;
    std::vector<std::int64_t> sizes;
    at::ScalarType dtype = at::kFloat;
};

Entry readEntry(const json& description, std::uint64_t dataSize) {
    if (!description.is_object()) throw Error("without a description");
    const auto type = description.find("dtype");
    if (type == description.end() || !type->is_string()) throw Error("without a 'dtype'");
    Entry entry;
    entry.dtype = safetensorsElementType(type->get<std::string>());
    for (auto size : unsignedList(description, "shape")) entry.sizes.push_back(static_cast<std::int64_t>(size));
    const auto offsets = unsignedList(description, "data_offsets");
    if (offsets.size() != 2 || offsets[0] > offsets[1]) throw Error("whose 'data_offsets' are not a begin and an end");
    entry.begin = offsets[0];
    entry.end = offsets[1];
    if (entry.end > dataSize)
        throw Error("that ends at byte " + std::to_string(entry.end) + " of " + std::to_string(dataSize));
    const auto needed = static_cast<std::uint64_t>(checkedElements(entry.sizes)) * c10::elementSize(entry.dtype);
    if (needed != entry.end - entry.begin)
        throw Error("whose shape takes " + std::to_string(needed) + " bytes and whose offsets give it " +
                    std::to_string(entry.end - entry.begin));
    return entry;
}

void requireDisjoint(const std::map<std::string, Entry>& entries) {
    std::vector<std::pair<const Entry*, const std::string*>> order;
    for (const auto& [name, entry] : entries)
        if (entry.begin != entry.end) order.emplace_back(&entry, &name);
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first->begin < b.first->begin; });
    for (std::size_t i = 1; i < order.size(); ++i)
        if (order[i].first->begin < order[i - 1].first->end)
            throw Error("its tensors '" + *order[i - 1].second + "' and " + inQuotes(*order[i].second) + " overlap");
}

}  // namespace

std::map<std::string, at::Tensor> readSafetensors(const std::shared_ptr<MappedFile>& file) {
    const std::string_view content = file->text();
    if (content.size() < kSafetensorsLengthBytes) throw Error("it ends within its header");
    const std::uint64_t length = safetensorsHeaderLength(content);
    if (length > content.size() - kSafetensorsLengthBytes)
        throw Error("its header claims to be " + std::to_string(length) + " bytes long, more than the file has");
    if (length > kLargestSafetensorsHeader)
        throw Error("its header is " + std::to_string(length) + " bytes long; expected at most " +
                    std::to_string(kLargestSafetensorsHeader));
    const std::size_t start = kSafetensorsLengthBytes + static_cast<std::size_t>(length);
    std::map<std::string, Entry> entries;
    const json header = parseHeader(content.substr(kSafetensorsLengthBytes, static_cast<std::size_t>(length)));
    for (const auto& [name, description] : header.items()) {
        if (name == "__metadata__") continue;
        try {
            entries.emplace(name, readEntry(description, content.size() - start));
        } catch (const Error& e) {
            throw Error("it has a tensor " + inQuotes(name) + " " + e.what());
        }
    }
    requireDisjoint(entries);
    std::map<std::string, at::Tensor> tensors;
    for (const auto& [name, entry] : entries)
        tensors.emplace(name, tensorInFile(file, start + entry.begin, entry.sizes, entry.dtype));
    return tensors;
}

}  // namespace aotscope
