#pragma once

#include "load/torchscript.h"
#include "program/input_spec.h"
#include "program/program.h"
#include "support/mapped_file.h"

#include <filesystem>
#include <optional>

namespace aotscope {

/// A dimension of an input tensor that the program accepts in more than one size.
struct DynamicDimension {
    std::string symbol;  ///< "s77"; dimensions with the same symbol have the same size
    std::size_t leaf;    ///< index among the leaves of the user inputs
    std::int64_t dimension;
    std::int64_t min, max;
};

/// A loaded model and the example inputs that it brings along.
struct Model {
    std::string name;  ///< file stem or sample name
    std::string path;  ///< as the user wrote it: a path or "sample:NAME"
    std::string kind;  ///< "sample", "torchscript" or "exported program"
    std::shared_ptr<const Program> program;
    std::optional<InputSpec> sampleSpec;              ///< samples
    std::vector<c10::IValue> recordedInputs;          ///< files that carry example inputs
    std::optional<InputSpec> suggestedSpec;           ///< shapes of the inputs, where the file says them
    std::vector<DynamicDimension> dynamicDimensions;  ///< exported programs
    std::vector<std::string> warnings;                ///< what a person should know of the file
    MappedFileWatch files;                            ///< whether what was read of its files since was there
};

/// What else decides how a file is loaded.
struct LoadSettings {
    std::filesystem::path weights;  ///< a file of tensors by name; empty: the model's own
    std::string modelName;          ///< which of several models in one file; empty: the only one
    OperatorKinds allow;            ///< what its operators may do beyond computing
    c10::Device device = at::kCPU;  ///< takes the place of the devices that the program names
};

/// Loads a path or "sample:NAME" in the given mode. Throws Error for anything that cannot be a model.
Model loadModel(const std::string& where, ModuleMode mode, const LoadSettings& settings = {});

}  // namespace aotscope
