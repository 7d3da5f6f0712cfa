#include "load/pickle/foreign_folder.h"

#include "load/exported/export_advice.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace aotscope {

namespace {

/// Folders saved by other programs, by the files that they contain.
struct FolderForm {
    std::array<std::string_view, 2> files;
    std::string_view what;
};

constexpr std::string_view kHuggingFace = "a Hugging Face model: weights and their configuration, without a program";

constexpr std::array kFolderForms = {
    FolderForm{{"config.json", "model.safetensors"}, kHuggingFace},
    FolderForm{{"config.json", "model.safetensors.index.json"}, kHuggingFace},
    FolderForm{{"config.json", "pytorch_model.bin"}, kHuggingFace},
    FolderForm{{"config.json", "pytorch_model.bin.index.json"}, kHuggingFace},
    FolderForm{{"adapter_config.json", ""}, "an adapter of a Hugging Face model: weights without a program"},
    FolderForm{{"model_index.json", ""}, "a pipeline of Hugging Face's diffusers: several models and their weights"},
    FolderForm{{"saved_model.pb", ""}, "a TensorFlow SavedModel; aotscope opens PyTorch models only"},
    FolderForm{{"Manifest.json", "Data"}, "a Core ML package, which is already converted"},
    FolderForm{{".metadata", ""}, "a checkpoint of torch.distributed: weights without a program"},
};

}  // namespace

std::string describeForeignFolder(const std::filesystem::path& folder) {
    std::error_code ignored;
    const auto has = [&](std::string_view file) {
        return file.empty() || std::filesystem::exists(folder / file, ignored);
    };
    for (const FolderForm& form : kFolderForms)
        if (std::ranges::all_of(form.files, has)) return "it is " + std::string(form.what) + kExportModule;
    return {};
}

}  // namespace aotscope
