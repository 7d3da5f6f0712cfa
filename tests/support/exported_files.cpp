#include "support/exported_files.h"

#include <caffe2/serialize/inline_container.h>

#include <array>

namespace aotscope::test {

using nlohmann::json;

namespace {

json metaOf(std::vector<int> sizes, bool requiresGrad) {
    json meta = {{"dtype", 7},
                 {"requires_grad", requiresGrad},
                 {"device", {{"type", "cpu"}, {"index", nullptr}}},
                 {"layout", 7},
                 {"storage_offset", {{"as_int", 0}}},
                 {"sizes", json::array()},
                 {"strides", json::array()}};
    int stride = 1;
    for (std::size_t i = sizes.size(); i-- > 0; stride *= sizes[i])
        meta["strides"].insert(meta["strides"].begin(), json::object({{"as_int", stride}}));
    for (const int size : sizes) meta["sizes"].push_back(json::object({{"as_int", size}}));
    return meta;
}

constexpr const char* kLeaf = R"({"type": null, "context": null, "children_spec": []})";

std::string callStructure() {
    return std::string(R"([1, {"type": "builtins.tuple", "context": "null", "children_spec": [)") +
           R"({"type": "builtins.tuple", "context": "null", "children_spec": [)" + kLeaf + "]}, " +
           R"({"type": "builtins.dict", "context": "[]", "children_spec": []}]}])";
}

std::string tupleStructure(std::size_t count) {
    std::string children;
    for (std::size_t i = 0; i < count; ++i) children += (i ? ", " : "") + std::string(kLeaf);
    return R"([1, {"type": "builtins.tuple", "context": "null", "children_spec": [)" + children + "]}]";
}

}  // namespace

ExportedFile ExportedFile::read(const std::string& path) {
    caffe2::serialize::PyTorchStreamReader reader(path);
    ExportedFile file;
    for (const auto& name : reader.getAllRecords()) {
        const auto [data, size] = reader.getRecord(name);
        if (!name.starts_with(".data/")) file.records[name] = std::string(static_cast<const char*>(data.get()), size);
    }
    return file;
}

QString ExportedFile::write(const QString& path, bool deflated) const {
    caffe2::serialize::PyTorchStreamWriter writer(path.toStdString());
    for (const auto& [name, content] : records) writer.writeRecord(name, content.data(), content.size(), deflated);
    writer.writeEndOfFile();
    return path;
}

std::string exportedPath(const std::string& name) {
    return std::string(AOTSCOPE_SOURCE_DIR) + "/tests/data/exported/" + name + ".pt2";
}

json exportedTensorMeta(const std::vector<int>& sizes) { return metaOf(sizes, false); }

json exportedTensor(const std::string& name) { return {{"as_tensor", {{"name", name}}}}; }

json exportedNode(const std::string& target, const nlohmann::ordered_json& inputs, const json& outputs) {
    json node = {{"target", target},
                 {"inputs", json::array()},
                 {"outputs", outputs},
                 {"metadata", json::object()},
                 {"name", "node_" + target.substr(target.rfind('.') + 1)}};
    for (const auto& [name, value] : inputs.items()) {
        const bool positional = name.starts_with('#');
        node["inputs"].push_back(json::object({{"name", positional ? "" : name}, {"arg", json(value)}, {"kind", 1}}));
    }
    return node;
}

ExportedFile exportedProgram(const json& nodes, const std::vector<std::string>& outputs) {
    json graph = {{"inputs", {exportedTensor("p_w"), exportedTensor("x")}},
                  {"outputs", json::array()},
                  {"nodes", nodes},
                  {"tensor_values", {{"p_w", metaOf({4}, true)}, {"x", metaOf({3, 4}, false)}}}};
    json specs = json::array();
    for (const auto& output : outputs) {
        graph["outputs"].push_back(exportedTensor(output));
        specs.push_back(json::object({{"user_output", {{"arg", exportedTensor(output)}}}}));
    }
    const json signature = {{"input_specs",
                             {{{"parameter", {{"arg", {{"name", "p_w"}}}, {"parameter_name", "w"}}}},
                              {{"user_input", {{"arg", exportedTensor("x")}}}}}},
                            {"output_specs", specs}};
    const json call = {{"in_spec", callStructure()}, {"out_spec", tupleStructure(outputs.size())}};
    const json model = {{"graph_module",
                         {{"graph", graph},
                          {"signature", signature},
                          {"module_call_graph", json::array({json::object({{"fqn", ""}, {"signature", call}})})}}},
                        {"range_constraints", json::object()},
                        {"schema_version", {{"major", 8}, {"minor", 20}}}};
    const json payload = {
        {"path_name", "weight_0"}, {"is_param", true}, {"use_pickle", false}, {"tensor_meta", metaOf({4}, true)}};
    const std::array<float, 4> w = {1, 2, 3, 4};
    ExportedFile file;
    file.records = {{"archive_format", "pt2"},
                    {"archive_version", "0"},
                    {"byteorder", "little"},
                    {"models/model.json", model.dump()},
                    {"data/weights/model_weights_config.json", json({{"config", {{"w", payload}}}}).dump()},
                    {"data/constants/model_constants_config.json", R"({"config": {}})"},
                    {"data/weights/weight_0", std::string(reinterpret_cast<const char*>(w.data()), sizeof(w))}};
    return file;
}

}  // namespace aotscope::test
