#include "program/files/tensor_file.h"

#include "program/files/npy_file.h"
#include "program/files/safetensors_file.h"
#include "program/files/safetensors_header.h"
#include "program/files/torch_save.h"
#include "support/error.h"
#include "support/names.h"
#include "support/quoted.h"

#include <ATen/core/Dict.h>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormats =
    "expected a .npy file, a .safetensors file, or a file made by torch.save; save the tensors in one of these";

TensorFileKind kindIn(std::string_view content) {
    if (content.starts_with("\x93NUMPY")) return TensorFileKind::npy;
    if (content.starts_with("PK")) return TensorFileKind::torchSave;
    if (looksLikeSafetensors(content)) return TensorFileKind::safetensors;
    return TensorFileKind::unknown;
}

/// The format by contents, otherwise by name, so that the error is about that format.
TensorFileKind kindIn(std::string_view content, const fs::path& path) {
    const TensorFileKind kind = kindIn(content);
    if (kind != TensorFileKind::unknown) return kind;
    return path.extension() == ".safetensors" ? TensorFileKind::safetensors : kind;
}

/// Runs `job`, prefixing its error with the path.
template <typename Job>
auto naming(const fs::path& path, Job&& job) {
    try {
        return job();
    } catch (const Error& e) {
        throw Error("cannot read '" + path.string() + "': " + e.what());
    }
}

std::string nameList(const std::map<std::string, at::Tensor>& tensors) {
    constexpr std::size_t most = 8;
    std::string names;
    std::size_t count = 0;
    for (const auto& [name, unused] : tensors) {
        (void)unused;
        if (count++ == most) return names + ", ...";
        names += (names.empty() ? "" : ", ") + shortened(name);
    }
    return names.empty() ? "none" : names;
}

/// Splits "FILE.safetensors:NAME"; the name is empty if a file with the whole path exists.
std::pair<fs::path, std::string> splitName(const fs::path& path) {
    constexpr std::string_view separator = ".safetensors:";
    const std::string text = path.string();
    const std::size_t at = text.find(separator);
    std::error_code failure;
    if (at == std::string::npos || fs::exists(path, failure)) return {path, ""};
    const std::size_t end = at + separator.size();
    return {text.substr(0, end - 1), text.substr(end)};
}

at::Tensor pick(const std::map<std::string, at::Tensor>& tensors, const std::string& name) {
    if (name.empty()) {
        if (tensors.size() == 1) return tensors.begin()->second;
        throw Error("it holds " + counted(tensors.size(), "tensor") + " (" + nameList(tensors) +
                    "); write FILE.safetensors:NAME to pick one");
    }
    const auto it = tensors.find(name);
    if (it == tensors.end()) throw Error("it has no tensor " + inQuotes(name) + "; there are " + nameList(tensors));
    return it->second;
}

std::map<std::string, at::Tensor> tensorsOf(const c10::IValue& value) {
    if (!value.isGenericDict())
        throw Error("it holds a value of type " + inQuotes(value.tagKind()) + "; expected a dict of tensors");
    const auto dict = value.toGenericDict();
    if (const auto inner = dict.find(c10::IValue("state_dict")); inner != dict.end() && inner->value().isGenericDict())
        return tensorsOf(inner->value());
    std::map<std::string, at::Tensor> tensors;
    for (const auto& entry : dict)
        if (entry.key().isString() && entry.value().isTensor())
            tensors.emplace(entry.key().toStringRef(), entry.value().toTensor());
    if (tensors.empty() && !dict.empty()) throw Error("it holds a dict without tensors");
    return tensors;
}

}  // namespace

TensorFileKind tensorFileKind(const fs::path& path) {
    const fs::path file = splitName(path).first;
    return kindIn(MappedFile::open(file)->text(), file);
}

at::Tensor readTensor(const fs::path& path) {
    const auto [file, name] = splitName(path);
    const auto mapped = MappedFile::open(file);
    return naming(path, [&, &name = name, &file = file]() -> at::Tensor {
        switch (kindIn(mapped->text(), file)) {
            case TensorFileKind::npy: return readNpy(mapped);
            case TensorFileKind::safetensors: return pick(readSafetensors(mapped), name);
            case TensorFileKind::torchSave: {
                const c10::IValue value = readTorchSave(mapped->text());
                if (!value.isTensor())
                    throw Error("it holds a value of type " + inQuotes(value.tagKind()) + "; expected a single tensor");
                return value.toTensor();
            }
            case TensorFileKind::unknown: break;
        }
        throw Error("it is not a file of tensors; " + std::string(kFormats));
    });
}

std::map<std::string, at::Tensor> readTensors(const fs::path& path) {
    const auto mapped = MappedFile::open(path);
    return naming(path, [&]() -> std::map<std::string, at::Tensor> {
        switch (kindIn(mapped->text(), path)) {
            case TensorFileKind::safetensors: return readSafetensors(mapped);
            case TensorFileKind::torchSave: return tensorsOf(readTorchSave(mapped->text()));
            case TensorFileKind::npy:
                throw Error("it holds one array without a name; expected a file of named tensors");
            case TensorFileKind::unknown: break;
        }
        throw Error("it is not a file of tensors; " + std::string(kFormats));
    });
}

c10::IValue readSavedValue(const fs::path& path) {
    const auto mapped = MappedFile::open(path);
    return naming(path, [&] {
        if (kindIn(mapped->text()) != TensorFileKind::torchSave)
            throw Error("it is not a file of tensors saved by torch.save (no zip archive)");
        return readTorchSave(mapped->text());
    });
}

}  // namespace aotscope
