// Loading exported files, and a small one.
#pragma once

#include "load/exported/program.h"
#include "load/model.h"
#include "support/exported_files.h"

namespace aotscope::test {

using nlohmann::json;

inline constexpr const char* kModel = "models/model.json";
inline constexpr const char* kWeights = "data/weights/model_weights_config.json";

inline Model load(const std::string& path, const LoadSettings& settings = {}) {
    return loadModel(path, ModuleMode::train, settings);
}

inline json mulNode() {
    return exportedNode("torch.ops.aten.mul.Tensor", {{"self", exportedTensor("x")}, {"other", exportedTensor("p_w")}},
                        json::array({exportedTensor("mul")}));
}

inline ExportedFile product() { return exportedProgram(json::array({mulNode()}), {"mul"}); }

}  // namespace aotscope::test
