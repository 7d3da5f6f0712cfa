#pragma once

#include "load/input_spec.h"
#include "load/program.h"
#include "load/torchscript.h"

#include <filesystem>
#include <optional>

namespace aotscope {

/// A size that the model's file declares as variable.
struct DynamicDimension {
    std::string symbol;
    std::size_t leaf = 0;  ///< among the leaves of the user inputs
    std::int64_t dimension = 0;
    std::int64_t min = 2, max = Symbol::kNoMax;
};

/// A loaded model and the example inputs that it brings along.
struct Model {
    std::string name;  ///< file stem or sample name
    std::string path;  ///< as the user wrote it: a path or "sample:NAME"
    std::string kind;  ///< "sample" or "torchscript"
    std::shared_ptr<const Program> program;
    std::optional<InputSpec> sampleSpec;      ///< samples
    std::vector<c10::IValue> recordedInputs;  ///< files that carry example inputs
    std::vector<DynamicDimension> dynamicDimensions;
};

/// Loads a path or "sample:NAME" in the given mode. Throws Error for anything that cannot be a model.
Model loadModel(const std::string& where, ModuleMode mode);

}  // namespace aotscope
