// Files of torch.export, opened as models; the fuzzer makes up one record of an intact file.

#include "fuzz/fuzz_targets.h"
#include "fuzz/inner_archive.h"
#include "fuzz/memory_file.h"
#include "fuzz/tensors_inside.h"
#include "load/model.h"

#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/serialization/pickle.h>

namespace aotscope::fuzz {

namespace {

/// x * w, in the shortest form of the format.
constexpr std::string_view kProgram = R"({
"graph_module": {
  "graph": {
    "inputs": [{"as_tensor": {"name": "p_w"}}, {"as_tensor": {"name": "x"}}],
    "outputs": [{"as_tensor": {"name": "mul"}}],
    "nodes": [{
      "name": "mul", "target": "torch.ops.aten.mul.Tensor",
      "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "x"}}, "kind": 1},
                 {"name": "other", "arg": {"as_tensor": {"name": "p_w"}}, "kind": 1}],
      "outputs": [{"as_tensor": {"name": "mul"}}], "metadata": {}}],
    "tensor_values": {
      "p_w": {"dtype": 7, "sizes": [{"as_int": 4}], "strides": [{"as_int": 1}], "storage_offset": {"as_int": 0},
              "device": {"type": "cpu", "index": null}, "layout": 7, "requires_grad": true},
      "x": {"dtype": 7, "sizes": [{"as_int": 4}], "strides": [{"as_int": 1}], "storage_offset": {"as_int": 0},
            "device": {"type": "cpu", "index": null}, "layout": 7, "requires_grad": false},
      "mul": {"dtype": 7, "sizes": [{"as_int": 4}], "strides": [{"as_int": 1}], "storage_offset": {"as_int": 0},
              "device": {"type": "cpu", "index": null}, "layout": 7, "requires_grad": true}},
    "sym_int_values": {}, "sym_bool_values": {}, "sym_float_values": {}, "custom_obj_values": {},
    "is_single_tensor_return": false},
  "signature": {
    "input_specs": [{"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}},
                    {"user_input": {"arg": {"as_tensor": {"name": "x"}}}}],
    "output_specs": [{"user_output": {"arg": {"as_tensor": {"name": "mul"}}}}]},
  "module_call_graph": [{"fqn": "", "signature": {
    "inputs": [], "outputs": [], "forward_arg_names": ["x"],
    "in_spec": "[1, {\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": [{\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": [{\"type\": null, \"context\": null, \"children_spec\": []}]}, {\"type\": \"builtins.dict\", \"context\": \"[]\", \"children_spec\": []}]}]",
    "out_spec": "[1, {\"type\": null, \"context\": null, \"children_spec\": []}]"}}]},
"opset_version": {"aten": 10}, "range_constraints": {}, "schema_version": {"major": 8, "minor": 20}})";

/// The weight of the program and the examples of this target, and a constant.
constexpr std::string_view kWeights = R"({"config": {"w": {"path_name": "weight_0", "is_param": true,
"use_pickle": false, "tensor_meta": {"dtype": 7, "sizes": [{"as_int": 4}], "requires_grad": true,
"device": {"type": "cpu", "index": null}, "strides": [{"as_int": 1}], "storage_offset": {"as_int": 0}, "layout": 7}}}})";
constexpr const char* kConfig = "data/weights/model_weights_config.json";
constexpr std::string_view kConstants = R"({"config": {"lifted_tensor_0": {"path_name": "tensor_0", "is_param": false,
"use_pickle": false, "tensor_meta": {"dtype": 7, "sizes": [], "requires_grad": false,
"device": {"type": "cpu", "index": null}, "strides": [], "storage_offset": {"as_int": 0}, "layout": 7}}}})";

/// `weights` describes records of their own, or is an archive of all tensors, as in torch 2.8.
void open(std::string_view program, std::string_view weights) {
    static const std::string elements(16, '\1');
    static const std::vector<char> pickled = torch::jit::pickle_save(at::zeros({2, 2}));
    const bool together = weights.starts_with("PK");
    const std::string archive = archiveOf({{"archive_format", "pt2"},
                                           {"byteorder", "little"},
                                           {"models/model.json", program},
                                           {together ? "data/weights/model.pt" : kConfig, weights},
                                           {"data/weights/weight_0", elements},
                                           {"data/weights/weight_1", {pickled.data(), pickled.size()}},
                                           {"data/constants/model_constants_config.json", kConstants},
                                           {"data/constants/tensor_0", std::string_view(elements).substr(0, 4)}});
    const MemoryFile file(archive);
    const Model model = loadModel(file.path().string(), ModuleMode::train);
    for (const StateTensor& state : model.program->state()) requireInside(state.value);
}

}  // namespace

void fuzzExportedProgram(std::string_view bytes) { open(bytes, kWeights); }

void fuzzExportedWeights(std::string_view bytes) { open(kProgram, bytes); }

}  // namespace aotscope::fuzz
