#pragma once

#include "load/torchscript/torchscript.h"
#include "program/inputs/input_spec.h"
#include "program/program.h"
#include "support/mapped_file.h"

#include <filesystem>
#include <optional>

namespace aotscope {

/// A dimension of an input tensor that the program accepts with several sizes.
struct DynamicDimension {
    std::string symbol;  ///< "s77"; dimensions with the same symbol have the same size
    std::size_t leaf;    ///< index among the leaves of the user inputs
    std::int64_t dimension;
    std::int64_t min, max;
};

/// The kind of a model saved by torch.export.
inline constexpr const char* kExportedKind = "exported program";

/// A loaded model with the example inputs of its file.
struct Model {
    std::string name;  ///< file stem or sample name
    std::string path;  ///< as given by the user: a path or "sample:NAME"; "script:NAME" for code
    std::string kind;  ///< "sample", "script", "torchscript" or "exported program"
    std::shared_ptr<const Program> program;
    std::optional<InputSpec> sampleSpec;              ///< samples and scripts
    std::vector<c10::IValue> recordedInputs;          ///< for files with example inputs
    std::string whyNoInputs;                          ///< that the file has example inputs, and why they are unusable
    std::vector<at::Tensor> tangents;                 ///< saved with the inputs; empty: standard ones
    std::optional<InputSpec> suggestedSpec;           ///< shapes of the inputs, if the file has them
    std::vector<DynamicDimension> dynamicDimensions;  ///< exported programs
    std::string whyNotRun;                            ///< one sentence; empty if it can run
    std::vector<std::string> warnings;                ///< what the user should know about the file
    std::vector<std::string> fellBack;                ///< replacements for missing parts, and omissions
    MappedFileWatch files;                            ///< whether the mapped files were intact whenever they were read
};

/// Options of loading.
struct LoadSettings {
    std::filesystem::path weights;      ///< a file of tensors by name; empty: the model's own
    std::string method = "forward";     ///< of a TorchScript module
    std::string modelName;              ///< for a file with several models; empty: the only one
    OperatorKinds allow;                ///< what its operators may do besides computing
    c10::Device device = at::kCPU;      ///< replaces the devices in the program
    std::filesystem::path definitions;  ///< of unregistered operators; empty: the built-in ones
};

/// Loads a path, "sample:NAME" or "script:CODE" in the given mode. Throws Error for anything that is not a model.
Model loadModel(const std::string& where, ModuleMode mode, const LoadSettings& settings = {});

}  // namespace aotscope
