#include "load/exported/export_schema.h"

#include "load/exported/export_json.h"
#include "load/exported/sympy_text.h"
#include "support/error.h"

#include <nlohmann/json.hpp>

namespace aotscope::exported {

namespace {

constexpr int kDeepestRegion = 32;
constexpr std::int64_t kKeyword = 2;

/// Dtypes, layouts and memory formats by the file's own numbers.
DType readDType(const JsonValue& json) {
    const auto known = dtypeFromExport(json.integer());
    if (!known) json.fail("the number of a supported dtype");
    return *known;
}

Layout readLayout(const JsonValue& json) {
    static const std::map<std::int64_t, Layout> known = {
        {1, Layout::sparse},    {2, Layout::sparseCsr}, {3, Layout::sparseCsc}, {4, Layout::sparseBsr},
        {5, Layout::sparseBsc}, {6, Layout::mkldnn},    {7, Layout::strided}};
    const auto it = known.find(json.integer());
    if (it == known.end()) json.fail("the number of a layout");
    return it->second;
}

MemoryFormat readMemoryFormat(const JsonValue& json) {
    static const std::map<std::int64_t, MemoryFormat> known = {{1, MemoryFormat::contiguous},
                                                               {2, MemoryFormat::channelsLast},
                                                               {3, MemoryFormat::channelsLast3d},
                                                               {4, MemoryFormat::preserve}};
    const auto it = known.find(json.integer());
    if (it == known.end()) json.fail("the number of a memory format");
    return it->second;
}

Device readDevice(const JsonValue& json) {
    const auto index = json.find("index");
    return {json["type"].text() + (index ? ":" + std::to_string(index->integer()) : "")};
}

Integer readInteger(const JsonValue& json) {
    const auto [kind, value] = json.alternative();
    Integer integer;
    if (kind == "as_int") {
        integer.value = value.integer();
        return integer;
    }
    if (kind != "as_expr") json.fail("as_int or as_expr");
    integer.symbolic = true;
    integer.expression = readSympy(value["expr_str"].text());
    if (integer.expression && integer.expression->kind() == SymExpr::Kind::symbol)
        integer.symbol = integer.expression->symbolName();
    const auto hint = value.find("hint");
    integer.known = hint && hint->find("as_int");
    if (integer.known) integer.value = (*hint)["as_int"].integer();
    return integer;
}

TensorMeta readTensorMeta(const JsonValue& json) {
    TensorMeta meta;
    meta.dtype = readDType(json["dtype"]);
    json["sizes"].forEachElement([&](const JsonValue& v) { meta.sizes.push_back(readInteger(v)); });
    json["strides"].forEachElement([&](const JsonValue& v) { meta.strides.push_back(readInteger(v)); });
    if (meta.sizes.size() != meta.strides.size()) json["strides"].fail("one stride for each size");
    for (const Integer& size : meta.sizes)
        if (size.value < 0) json["sizes"].fail("sizes that are not negative");
    meta.storageOffset = readInteger(json["storage_offset"]);
    meta.device = readDevice(json["device"]);
    meta.layout = readLayout(json["layout"]);
    meta.requiresGrad = json["requires_grad"].boolean();
    return meta;
}

Graph readGraph(const JsonValue& json, int depth);

template <Argument (*readElement)(const JsonValue&)>
Argument readList(const JsonValue& json) {
    Argument::List list;
    json.forEachElement([&](const JsonValue& element) { list.push_back(readElement(element)); });
    return {std::move(list)};
}

Argument readReference(const JsonValue& json) { return {Argument::Reference{json["name"].text()}}; }

/// {"as_name": NAME} or {"as_int": n}, "as_float", "as_bool".
Argument readSymbolic(const JsonValue& json) {
    const auto [kind, value] = json.alternative();
    if (kind == "as_name") return {Argument::Reference{value.text()}};
    if (kind == "as_int") return {value.integer()};
    if (kind == "as_float") return {numberOrName(value)};
    if (kind == "as_bool") return {value.boolean()};
    json.fail("a number or the name of one");
}

Argument readOptionalTensor(const JsonValue& json) {
    const auto [kind, value] = json.alternative();
    if (kind == "as_tensor") return readReference(value);
    if (kind == "as_none") return {};
    json.fail("as_tensor or as_none");
}

Argument readWhole(const JsonValue& json) { return {json.integer()}; }
Argument readNumber(const JsonValue& json) { return {numberOrName(json)}; }
Argument readText(const JsonValue& json) { return {json.text()}; }
Argument readBoolean(const JsonValue& json) { return {json.boolean()}; }

Argument readArgument(const JsonValue& json, int depth) {
    using Reader = Argument (*)(const JsonValue&);
    static const std::map<std::string, Reader, std::less<>> readers = {
        {"as_none", [](const JsonValue&) { return Argument(); }},
        {"as_tensor", readReference},
        {"as_tensors", readList<readReference>},
        {"as_optional_tensor", readOptionalTensor},
        {"as_optional_tensors", readList<readOptionalTensor>},
        {"as_nested_tensors", readList<readList<readReference>>},
        {"as_int", readWhole},
        {"as_ints", readList<readWhole>},
        {"as_int_lists", readList<readList<readWhole>>},
        {"as_float", readNumber},
        {"as_floats", readList<readNumber>},
        {"as_float_lists", readList<readList<readNumber>>},
        {"as_complex",
         [](const JsonValue& v) {
             return Argument{std::complex<double>(numberOrName(v["real"]), numberOrName(v["imag"]))};
         }},
        {"as_string", readText},
        {"as_strings", readList<readText>},
        {"as_bool", readBoolean},
        {"as_bools", readList<readBoolean>},
        {"as_sym_int", readSymbolic},
        {"as_sym_ints", readList<readSymbolic>},
        {"as_sym_float", readSymbolic},
        {"as_sym_floats", readList<readSymbolic>},
        {"as_sym_bool", readSymbolic},
        {"as_sym_bools", readList<readSymbolic>},
        {"as_scalar_type", [](const JsonValue& v) { return Argument{readDType(v)}; }},
        {"as_memory_format", [](const JsonValue& v) { return Argument{readMemoryFormat(v)}; }},
        {"as_layout", [](const JsonValue& v) { return Argument{readLayout(v)}; }},
        {"as_device", [](const JsonValue& v) { return Argument{readDevice(v)}; }},
        {"as_operator", [](const JsonValue& v) { return Argument{Argument::Operator{v.text()}}; }},
        {"as_custom_obj",
         [](const JsonValue& v) {
             return Argument{Argument::Foreign{"the custom object '" + v["name"].text() + "' of class '" +
                                               v["class_fqn"].text() + "'"}};
         }},
        {"as_string_to_argument",
         [](const JsonValue&) { return Argument{Argument::Foreign{"a dictionary of arguments"}}; }},
    };
    const auto [kind, value] = json.alternative();
    if (kind == "as_graph") {
        if (depth >= kDeepestRegion) value.fail("regions nested less than 32 deep");
        return {std::make_shared<const Graph>(readGraph(value["graph"], depth + 1))};
    }
    const auto it = readers.find(kind);
    if (it == readers.end()) json.fail("a kind of argument that this version knows");
    return it->second(value);
}

/// Operators of ExecuTorch's edge dialect are PyTorch's under other names.
std::string targetOf(const std::string& written) {
    constexpr std::string_view edge = "executorch.exir.dialects.edge._ops.";
    return written.starts_with(edge) ? std::string(kOperators) + written.substr(edge.size()) : written;
}

Node readNode(const JsonValue& json, int depth) {
    Node node;
    node.target = targetOf(json["target"].text());
    if (const auto name = json.find("name")) node.name = name->text();
    json["inputs"].forEachElement([&](const JsonValue& input) {
        const auto kind = input.find("kind");
        node.inputs.push_back(
            {input["name"].text(), readArgument(input["arg"], depth), kind && kind->integer() == kKeyword});
    });
    json["outputs"].forEachElement([&](const JsonValue& v) { node.outputs.push_back(readArgument(v, depth)); });
    const JsonValue metadata = json["metadata"];
    if (const auto trace = metadata.find("stack_trace")) node.stackTrace = trace->text();
    if (const auto modules = metadata.find("nn_module_stack")) node.moduleStack = modules->text();
    return node;
}

Graph readGraph(const JsonValue& json, int depth) {
    Graph graph;
    json["inputs"].forEachElement([&](const JsonValue& v) { graph.inputs.push_back(readArgument(v, depth)); });
    json["outputs"].forEachElement([&](const JsonValue& v) { graph.outputs.push_back(readArgument(v, depth)); });
    json["nodes"].forEachElement([&](const JsonValue& v) { graph.nodes.push_back(readNode(v, depth)); });
    json["tensor_values"].forEachMember(
        [&](const std::string& name, const JsonValue& v) { graph.tensors.emplace(name, readTensorMeta(v)); });
    if (const auto numbers = json.find("sym_int_values"))
        numbers->forEachMember(
            [&](const std::string& name, const JsonValue& v) { graph.integers.emplace(name, readInteger(v)); });
    return graph;
}

InputSpec readInput(const JsonValue& json) {
    using Kind = InputSpec::Kind;
    const auto [kind, value] = json.alternative();
    if (kind == "user_input") return {Kind::user, "", readArgument(value["arg"], 0)};
    if (kind == "parameter") return {Kind::parameter, value["parameter_name"].text(), readReference(value["arg"])};
    if (kind == "buffer") return {Kind::buffer, value["buffer_name"].text(), readReference(value["arg"])};
    if (kind == "tensor_constant")
        return {Kind::constant, value["tensor_constant_name"].text(), readReference(value["arg"])};
    if (kind == "constant_input") return {Kind::userConstant, value["name"].text(), readArgument(value["value"], 0)};
    if (kind == "custom_obj")
        throw Error("the program takes the custom object '" + value["custom_obj_name"].text() + "' of class '" +
                    value["arg"]["class_fqn"].text() + "', which exists in Python only; export the model without it");
    json.fail("a kind of input that this version knows");
}

OutputSpec readOutput(const JsonValue& json) {
    using Kind = OutputSpec::Kind;
    const auto [kind, value] = json.alternative();
    if (kind == "user_output") return {Kind::user, "", readArgument(value["arg"], 0)};
    if (kind == "loss_output") return {Kind::user, "", readReference(value["arg"])};
    if (kind == "buffer_mutation")
        return {Kind::stateMutation, value["buffer_name"].text(), readReference(value["arg"])};
    if (kind == "parameter_mutation")
        return {Kind::stateMutation, value["parameter_name"].text(), readReference(value["arg"])};
    if (kind == "user_input_mutation")
        return {Kind::userInputMutation, value["user_input_name"].text(), readReference(value["arg"])};
    if (kind.starts_with("gradient_to"))
        throw Error("the program computes its own gradients (" + kind +
                    "); expected a forward only: export the model without its backward");
    json.fail("a kind of output that this version knows");
}

std::map<std::string, Range> readRanges(const JsonValue& json) {
    std::map<std::string, Range> ranges;
    json.forEachMember([&](const std::string& symbol, const JsonValue& v) {
        Range& range = ranges[symbol];
        if (const auto min = v.find("min_val")) range.min = min->integer();
        if (const auto max = v.find("max_val")) range.max = max->integer();
    });
    return ranges;
}

void readCall(const JsonValue& moduleCalls, Document& document) {
    std::optional<JsonValue> signature;
    moduleCalls.forEachElement([&](const JsonValue& entry) {
        if (!signature && entry["fqn"].text().empty()) signature = entry.find("signature");
    });
    if (!signature) moduleCalls.fail("an entry for the whole model with its signature");
    document.inputStructure = (*signature)["in_spec"].text();
    document.outputStructure = (*signature)["out_spec"].text();
    if (const auto names = signature->find("forward_arg_names"))
        names->forEachElement([&](const JsonValue& v) { document.argumentNames.push_back(v.text()); });
}

void requireKnownVersion(const Document& document) {
    if (document.major == kSchemaMajor) return;
    throw Error("its schema has version " + std::to_string(document.major) + "." + std::to_string(document.minor) +
                " (torch " + document.torchVersion + "), expected " + std::to_string(kSchemaMajor) +
                ".x; export the model again with torch 2.9 to 2.13");
}

}  // namespace

Document readDocument(std::string_view text, const std::string& record) {
    const nlohmann::json parsed = parseJson(text, record);
    const JsonValue json(parsed, record + ":", kSaveAgain);
    Document document;
    const JsonValue version = json["schema_version"];
    document.major = version["major"].integer();
    document.minor = version["minor"].integer();
    if (const auto torch = json.find("torch_version")) document.torchVersion = torch->text();
    requireKnownVersion(document);
    if (const auto dialects = json.find("verifiers"))
        dialects->forEachElement(
            [&](const JsonValue& v) { document.asWritten = document.asWritten || v.text() == "TRAINING"; });
    const JsonValue module = json["graph_module"];
    document.graph = readGraph(module["graph"], 0);
    const JsonValue signature = module["signature"];
    signature["input_specs"].forEachElement([&](const JsonValue& v) { document.inputs.push_back(readInput(v)); });
    signature["output_specs"].forEachElement([&](const JsonValue& v) { document.outputs.push_back(readOutput(v)); });
    if (document.inputs.size() != document.graph.inputs.size())
        signature["input_specs"].fail("one entry for each input of the graph");
    readCall(module["module_call_graph"], document);
    if (const auto tuples = module.find("treespec_namedtuple_fields"))
        tuples->forEachMember([&](const std::string& type, const JsonValue& v) {
            v["field_names"].forEachElement(
                [&](const JsonValue& field) { document.namedTuples[type].push_back(field.text()); });
        });
    document.ranges = readRanges(json["range_constraints"]);
    return document;
}

std::map<std::string, Payload> readPayloads(std::string_view text, const std::string& record) {
    const nlohmann::json parsed = parseJson(text, record);
    std::map<std::string, Payload> payloads;
    JsonValue(parsed, record + ":", kSaveAgain)["config"].forEachMember(
        [&](const std::string& name, const JsonValue& v) {
            Payload& payload = payloads[name];
            payload.record = v["path_name"].text();
            payload.pickled = v["use_pickle"].boolean();
            if (const auto meta = v.find("tensor_meta")) payload.meta = readTensorMeta(*meta);
        });
    return payloads;
}

}  // namespace aotscope::exported
