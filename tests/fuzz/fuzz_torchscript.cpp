// Files of torch.jit.save, opened as models and not run; the fuzzer makes up one record of an intact file.

#include "fuzz/fuzz_targets.h"
#include "fuzz/inner_archive.h"
#include "fuzz/memory_file.h"
#include "fuzz/tensors_inside.h"
#include "load/model.h"

#include <ATen/ops/ones.h>
#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/api/module.h>

#include <sstream>

namespace aotscope::fuzz {

namespace {

using Records = std::map<std::string, std::string>;

/// The records of a module with a parameter, a buffer, a list and a method.
Records savedModule() {
    torch::jit::Module module("M");
    module.register_parameter("w", at::ones({2, 3}), false);
    module.register_buffer("b", at::ones({3}));
    module.register_attribute("training", c10::BoolType::get(), true);
    module.register_attribute("sizes", c10::ListType::ofInts(), c10::List<std::int64_t>({2, 3}));
    module.define(R"(
def scaled(self, x: Tensor, by: float = 2.0) -> Tensor:
    return x * by
def forward(self, x: Tensor, flag: bool) -> Tensor:
    y = torch.relu(torch.mm(x, self.w)) + self.b
    if flag:
        y = self.scaled(y, 2.0)
    for size in self.sizes:
        y = torch.add(y, size, alpha=2)
    return y
)");
    std::stringstream file;
    module.save(file);
    caffe2::serialize::PyTorchStreamReader reader(&file);
    Records records;
    for (const std::string& name : reader.getAllRecords()) {
        const auto [data, size] = reader.getRecord(name);
        records[name] = {static_cast<const char*>(data.get()), size};
    }
    return records;
}

void openWith(const std::string& record, std::string_view content) {
    static const Records saved = savedModule();
    std::map<std::string, std::string_view> records(saved.begin(), saved.end());
    records.erase(".data/serialization_id");       // the writer adds its own
    records.erase("code/__torch__.py.debug_pkl");  // of the original code
    records.at(record) = content;
    const std::string archive = archiveOf(records);
    const MemoryFile file(archive);
    const Model model = loadModel(file.path().string(), ModuleMode::train);
    for (const StateTensor& state : model.program->state()) requireInside(state.value);
}

}  // namespace

void fuzzTorchScriptCode(std::string_view bytes) { openWith("code/__torch__.py", bytes); }

void fuzzScript(std::string_view bytes) { loadModel("script:" + std::string(bytes), ModuleMode::train); }

void fuzzTorchScriptState(std::string_view bytes) { openWith("data.pkl", bytes); }

}  // namespace aotscope::fuzz
