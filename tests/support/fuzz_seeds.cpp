#include "support/fuzz_seeds.h"

#include "ir/printer.h"
#include "session/session.h"
#include "support/exported_files.h"
#include "support/models.h"
#include "support/tensor_files.h"

#include <ATen/core/Dict.h>
#include <ATen/ops/ones.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <array>

namespace aotscope::test {

namespace {

using nlohmann::json;
using Tensors = std::map<std::string, at::Tensor>;

constexpr std::array<const char*, 7> kExported = {"custom_autograd", "dynamic_batch",     "inplace_on_clone",
                                                  "mut_nograd",      "one_of_everything", "pytree",
                                                  "tied_weights"};

constexpr const char* kWeightList = "data/weights/model_weights_config.json";
constexpr int kLong = 5;  ///< its number in these files

const QString kData = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/");

json product() {
    return exportedNode("torch.ops.aten.mul.Tensor", {{"self", exportedTensor("x")}, {"other", exportedTensor("p_w")}},
                        json::array({exportedTensor("mul")}));
}

InputSpec productInputs() { return parseInputSpec(R"([{"dtype": "float32", "shape": [3, 4]}])", "spec"); }

/// A product, and an operation on it whose arguments determine how much memory is read.
ExportedFile productThen(const std::string& operation, nlohmann::ordered_json inputs) {
    inputs["self"] = exportedTensor("mul");
    return exportedProgram(json::array({product(), exportedNode("torch.ops.aten." + operation, inputs,
                                                                json::array({exportedTensor("y")}))}),
                           {"y"});
}

std::vector<ExportedFile> exportedFiles() {
    const auto integers = [](std::vector<int> values) { return json({{"as_ints", std::move(values)}}); };
    std::vector<ExportedFile> files;
    for (const char* name : kExported) files.push_back(ExportedFile::read(exportedPath(name)));
    files.push_back(productThen("view.default", {{"size", integers({4, 3})}}));
    files.push_back(productThen(
        "as_strided.default",
        {{"size", integers({2, 3})}, {"stride", integers({4, 1})}, {"storage_offset", json({{"as_int", 1}})}}));
    files.push_back(productThen("expand.default", {{"size", integers({5, 3, 4})}}));
    return files;
}

Seed seedOf(const ExportedFile& file, const Scratch& scratch) {
    Seed seed{contentOf(file.write(scratch.at(u"seed.pt2"_s))), {}};
    if (!file.records.contains("data/sample_inputs/model.pt")) seed.options.inputs = productInputs();
    return seed;
}

/// Ten files of weights with the models that they fit.
std::vector<std::pair<std::string, Tensors>> weightSets(const Scratch& scratch) {
    std::vector<std::pair<std::string, Tensors>> sets;
    for (const char* name : kExported) {
        Tensors tensors;
        const ExportedFile file = ExportedFile::read(exportedPath(name));
        const json list = json::parse(file.records.at(kWeightList));
        for (const auto& [key, payload] : list.at("config").items()) {
            std::vector<std::int64_t> sizes;
            for (const auto& size : payload["tensor_meta"]["sizes"]) sizes.push_back(size["as_int"]);
            tensors[key] = at::ones(sizes, payload["tensor_meta"]["dtype"] == kLong ? at::kLong : at::kFloat);
        }
        sets.emplace_back(exportedPath(name), std::move(tensors));
    }
    const std::string model =
        exportedProgram(json::array({product()}), {"mul"}).write(scratch.at(u"product.pt2"_s)).toStdString();
    sets.push_back({model, {{"w", at::ones({4})}}});
    sets.push_back({model, {{"w", at::ones({8}).slice(0, 0, 8, 2)}}});
    sets.push_back({model, {{"w", at::ones({4})}, {"another", at::ones({3, 2}, at::kHalf).t()}}});
    return sets;
}

QByteArray safetensorsOf(const Tensors& tensors) {
    json header = {{"__metadata__", {{"format", "pt"}}}};
    QByteArray data;
    for (const auto& [name, tensor] : tensors) {
        const at::Tensor dense = tensor.contiguous();
        const auto begin = data.size();
        data.append(static_cast<const char*>(dense.const_data_ptr()), static_cast<qsizetype>(dense.nbytes()));
        const char* type = dense.scalar_type() == at::kLong ? "I64" : dense.scalar_type() == at::kHalf ? "F16" : "F32";
        header[name] = {{"dtype", type}, {"shape", dense.sizes().vec()}, {"data_offsets", {begin, data.size()}}};
    }
    return safetensorsBytes(QByteArray::fromStdString(header.dump()), data);
}

std::vector<Seed> printedSeeds(std::initializer_list<const char*> names) {
    std::vector<Seed> seeds;
    for (const char* name : names) seeds.push_back({contentOf(kData + u"printed/"_s + QLatin1String(name)), {}});
    return seeds;
}

}  // namespace

std::vector<Seed> exportedSeeds(const Scratch& scratch) {
    std::vector<Seed> seeds;
    for (const ExportedFile& file : exportedFiles()) seeds.push_back(seedOf(file, scratch));
    return seeds;
}

std::vector<Seed> weightlessSeeds(const Scratch& scratch) {
    std::vector<Seed> seeds;
    auto files = exportedFiles();
    for (ExportedFile& file : files) {
        for (auto& [name, content] : file.records)
            if (name.starts_with("data/weights/weight_")) content.clear();
        seeds.push_back(seedOf(file, scratch));
    }
    return seeds;
}

std::vector<Seed> npySeeds(const Scratch& scratch) {
    const Options options{.model = scratch.at(u"any.pt"_s).toStdString()};
    moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    return x + x")->save(options.model);
    const QByteArray data(96, '\1');
    std::vector<Seed> seeds;
    for (const auto& [type, shape] : {std::pair("<f4", "(2, 3)"),
                                      {"<f8", "(12,)"},
                                      {"<i8", "(3, 1, 4)"},
                                      {">f4", "(4,)"},
                                      {"|b1", "(7,)"},
                                      {"<f2", "()"},
                                      {"<c8", "(0, 4)"}})
        seeds.push_back({npyBytes(npyHeader(type, shape), data), options});
    seeds.push_back({npyBytes(npyHeader(">i2", "(5, 4)", true), data, 2), options});
    seeds.push_back({npyBytes(npyHeader("<f4", "(1L, 2L)", true), data, 3), options});
    seeds.push_back({npyBytes(R"({"shape":(1,),"fortran_order":False,"descr":"|u1"})", data), options});
    return seeds;
}

std::vector<Seed> safetensorsSeeds(const Scratch& scratch) {
    std::vector<Seed> seeds;
    for (const auto& [model, tensors] : weightSets(scratch)) {
        seeds.push_back({safetensorsOf(tensors), {}});
        seeds.back().options.model = model;
        if (model.ends_with("product.pt2")) seeds.back().options.inputs = productInputs();
    }
    return seeds;
}

std::vector<Seed> torchSaveSeeds(const Scratch& scratch) {
    std::vector<Seed> seeds;
    for (const auto& [model, tensors] : weightSets(scratch)) {
        c10::Dict<std::string, at::Tensor> dict;
        for (const auto& [name, tensor] : tensors) dict.insert(name, tensor);
        const auto bytes = torch::jit::pickle_save(dict);
        seeds.push_back({QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())), {}});
        seeds.back().options.model = model;
        if (model.ends_with("product.pt2")) seeds.back().options.inputs = productInputs();
    }
    // Files written by Python replace two of them.
    seeds[0] = {contentOf(kData + u"tensors/checkpoint.pt"_s), {}};
    seeds[1] = {contentOf(kData + u"tensors/kinds.pt"_s), {}};
    return seeds;
}

std::vector<Seed> printedCodeSeeds(const Scratch&) {
    return printedSeeds({"coloured.txt", "expanded.txt", "exported.txt", "module.txt", "plain.txt",
                         "symbolic_trace.txt", "symbols.txt", "values.txt", "module.code.txt", "symbols.code.txt"});
}

std::vector<Seed> logSeeds(const Scratch&) {
    return printedSeeds({"attention.log", "batch_norm.log", "control_flow.log", "dynamic.log", "mlp.log",
                         "mlp_default.log", "mlp_tiny.log", "several.log", "t_pytree.log", "t_mut_input_data.log"});
}

std::vector<Seed> traceSeeds(const Scratch&) {
    return printedSeeds({"attention.trace", "batch_norm.trace", "control_flow.trace", "dynamic.trace", "mlp.trace",
                         "mlp_default.trace", "mlp_tiny.trace", "several.trace", "t_pytree.trace",
                         "t_mut_input_data.trace"});
}

std::vector<Seed> graphTextSeeds(const Scratch&) {
    std::vector<Seed> seeds;
    for (const char* name : {"chain", "every_argument", "every_type", "full_detail"})
        seeds.push_back({contentOf(kData + u"graphs/%1.txt"_s.arg(QLatin1String(name))), {}});
    for (const char* name : {"dynamic_batch", "one_of_everything", "pytree"}) {
        const auto record = Session::open({.model = exportedPath(name)}, {})->record();
        for (const Detail detail : {Detail::types, Detail::full})
            seeds.push_back({QByteArray::fromStdString(printGraph(*record->graphs.begin()->second, detail)), {}});
    }
    return seeds;
}

}  // namespace aotscope::test
