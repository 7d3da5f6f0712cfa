#include "support/exported_files.h"
#include "support/hostile/hostile_files.h"

namespace aotscope::test {

namespace {

using nlohmann::json;

json tensor(const char* name) { return exportedTensor(name); }
json ints(std::vector<int> values) { return {{"as_ints", values}}; }

/// Programs whose first operation does more than compute.
class ExportedMaker {
public:
    explicit ExportedMaker(const Scratch& scratch) : scratch_(scratch) {
        scratch.write(u"pt2-victim"_s, QByteArray(64, 'v'));
    }

    /// If there is a result, `x` is copied into it.
    void add(const QString& name, const std::string& target, const nlohmann::ordered_json& inputs,
             const QString& sentence) {
        const json made = exportedNode(target, inputs, json::array({tensor("y")}));
        const json copied = exportedNode("torch.ops.aten.copy_.default", {{"self", tensor("y")}, {"src", tensor("x")}},
                                         json::array({tensor("z")}));
        write(name, json::array({made, copied}), sentence);
    }

    /// The same inside a region that runs without gradients.
    void addRegion(const QString& name, const std::string& target, const nlohmann::ordered_json& inputs,
                   const QString& sentence) {
        const json graph = {{"inputs", json::array()},
                            {"outputs", json::array({tensor("y")})},
                            {"nodes", json::array({exportedNode(target, inputs, json::array({tensor("y")}))})},
                            {"tensor_values", json::object()}};
        const json region =
            exportedNode("torch.ops.higher_order.wrap_with_set_grad_enabled",
                         {{"#0", {{"as_bool", false}}}, {"#1", {{"as_graph", {{"name", "region"}, {"graph", graph}}}}}},
                         json::array({tensor("z")}));
        write(name, json::array({region}), sentence);
    }

    /// The same in a branch that is not taken.
    void addBranch(const QString& name, const std::string& target, const nlohmann::ordered_json& inputs,
                   const QString& sentence) {
        const json nodes = json::array({exportedNode(target, inputs, json::array({tensor("y")}))});
        const json branch = subgraph(nodes, "y"), other = subgraph(json::array(), "x");
        write(name, json::array({higherOrder("cond", {branch, other}, {{{"as_bool", false}}}, {{tensor("x")}})}),
              sentence);
    }

    /// A loop whose condition always holds: found when it runs, not during tracing.
    void addEndlessLoop() {
        const json sum =
            exportedNode("torch.ops.aten.sum.default", {{"self", tensor("x")}}, json::array({tensor("s")}));
        const json equal = exportedNode("torch.ops.aten.eq.Tensor", {{"self", tensor("s")}, {"other", tensor("s")}},
                                        json::array({tensor("c")}));
        const json step =
            exportedNode("torch.ops.aten.clone.default", {{"self", tensor("x")}}, json::array({tensor("y")}));
        write(u"an exported loop without an end"_s,
              json::array({higherOrder("while_loop",
                                       {subgraph(json::array({sum, equal}), "c"), subgraph(json::array({step}), "y")},
                                       {}, {{tensor("x")}, {}})}),
              {}, {u"--inference"_s, u"--time-limit"_s, u"0.5"_s});
    }

    nlohmann::ordered_json file() const {
        const std::string path = scratch_.at(u"pt2-victim"_s).toStdString();
        return {{"filename", {{"as_string", path}}}, {"shared", {{"as_bool", true}}}, {"size", {{"as_int", 16}}}};
    }

    std::vector<HostileFile> take() { return std::move(files_); }

private:
    /// A graph of `x` that returns `result`.
    static json subgraph(const json& nodes, const char* result) {
        const json type = exportedTensorMeta({3, 4});
        return {{"as_graph",
                 {{"name", "graph"},
                  {"graph",
                   {{"inputs", json::array({tensor("x")})},
                    {"outputs", json::array({tensor(result)})},
                    {"nodes", nodes},
                    {"tensor_values", {{"x", type}, {result, type}}}}}}}};
    }

    /// Arguments before the graphs, the graphs, and lists of tensors; its result is `z`.
    static json higherOrder(const std::string& name, const std::vector<json>& graphs, const std::vector<json>& first,
                            const std::vector<std::vector<json>>& lists) {
        nlohmann::ordered_json inputs;
        const auto add = [&](const json& argument) { inputs["#" + std::to_string(inputs.size())] = argument; };
        for (const json& argument : first) add(argument);
        for (const json& graph : graphs) add(graph);
        for (const auto& list : lists) {
            json names = json::array();
            for (const json& element : list) names.push_back(element["as_tensor"]);
            add({{"as_tensors", names}});
        }
        return exportedNode("torch.ops.higher_order." + name, inputs, json::array({tensor("z")}));
    }

    void write(const QString& name, const json& nodes, const QString& sentence, const QStringList& arguments = {}) {
        const QString path = scratch_.at(u"pt2-%1.pt2"_s.arg(files_.size()));
        files_.push_back({name, exportedProgram(nodes, {"z"}).write(path), arguments, sentence});
    }

    const Scratch& scratch_;
    std::vector<HostileFile> files_;
};

/// A graph as print_readable() writes it, to be partitioned and decomposed again.
HostileFile printedGraph(const Scratch& scratch) {
    const QByteArray text =
        " ===== Joint graph 0 =====\n"
        "class joint_helper(torch.nn.Module):\n"
        "    def forward(self, primals, tangents):\n"
        "        primals_1: \"f32[4][1]cpu\"; tangents_1: \"f32[4][1]cpu\";\n\n"
        "        primals_1, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)\n"
        "        from_file: \"f32[4][1]cpu\" = torch.ops.aten.from_file.default('" +
        scratch.at(u"pt2-victim"_s).toUtf8() +
        "', True, 4)\n"
        "        copy_: \"f32[4][1]cpu\" = torch.ops.aten.copy_.default(from_file, primals_1);  from_file = primals_1 "
        "= None\n"
        "        mul: \"f32[4][1]cpu\" = torch.ops.aten.mul.Tensor(tangents_1, 2);  tangents_1 = None\n"
        "        return pytree.tree_unflatten([copy_, mul], self._out_spec)\n";
    return {u"a printed graph that maps a file"_s,
            scratch.write(u"printed-from-file.txt"_s, text),
            {u"--decompose"_s, u"core-aten"_s},
            {}};  // each command has its own reason to refuse it, or only shows it
}

/// Graphs with short texts: their cost is known before anything runs.
std::vector<HostileFile> printedBombs(const Scratch& scratch) {
    const auto bomb = [&](const char* what, const char* file, const QByteArray& input, const QByteArray& lines) {
        const QByteArray text = "class GraphModule(torch.nn.Module):\n    def forward(self, a: \"" + input + "\"):\n" +
                                lines + "        return (b,)\n";
        return HostileFile{QString::fromLatin1(what), scratch.write(QString::fromLatin1(file), text), {}, {}};
    };
    QByteArray products;
    for (const char* name : {"b", "b", "b", "b", "b", "b"})
        products += QByteArray("        ") + name + ": \"f32[4]\" = torch.ops.aten.kron.default(" +
                    (products.isEmpty() ? "a, a" : "b, b") + ")\n";
    const HostileFile wide = {u"brackets in UTF-16"_s,
                              scratch.write(u"wide.log"_s, "\xff\xfe" + QByteArray("[\0", 2).repeated(2'000'000)),
                              {},
                              u"it is a JSON file"_s};
    return {bomb("a printed split into 100 million views", "printed-split.txt", "f32[100000000]",
                 "        m = torch.ops.aten.split.Tensor(a, 1)\n        b: \"f32[1]\" = m[0]\n"),
            bomb("a printed product that cannot be counted", "printed-product.txt", "f32[4]", products), wide};
}

}  // namespace

std::vector<HostileFile> hostileExported(const Scratch& scratch) {
    ExportedMaker maker(scratch);
    const nlohmann::ordered_json x = {{"self", tensor("x")}, {"size", ints({100000000})}, {"stride", ints({1})}};
    maker.add(u"an exported node maps a file"_s, "torch.ops.aten.from_file.default", maker.file(),
              u"aten::from_file"_s);
    maker.addRegion(u"a region of an exported program maps a file"_s, "torch.ops.aten.from_file.default", maker.file(),
                    u"aten::from_file"_s);
    maker.addBranch(u"a branch of an exported program maps a file"_s, "torch.ops.aten.from_file.default", maker.file(),
                    u"aten::from_file"_s);
    maker.addEndlessLoop();
    maker.add(u"an exported node writes a file"_s, "torch.ops.aten.save.default",
              {{"item", tensor("x")}, {"filename", maker.file().at("filename")}}, u"aten::save"_s);
    maker.add(u"an exported view beyond its memory"_s, "torch.ops.inductor._reinterpret_tensor.default", x,
              u"inductor::_reinterpret_tensor"_s);
    maker.add(u"an exported reshape beyond its memory"_s, "torch.ops.aten._reshape_alias.default", x,
              u"aten::_reshape_alias"_s);
    maker.add(u"an exported handle to objects of the program"_s, "torch.ops.aotscope.location.default", x,
              u"aotscope::location"_s);
    maker.add(u"an exported reduction in memory of other processes"_s, "torch.ops.symm_mem.one_shot_all_reduce.default",
              {{"input", tensor("x")}, {"reduce_op", {{"as_string", "sum"}}}, {"group_name", {{"as_string", "0"}}}},
              u"symm_mem::"_s);
    maker.add(u"an exported operator of nowhere"_s, "torch.ops.nowhere.nothing.default", x, u"nowhere::nothing"_s);
    std::vector<HostileFile> files = maker.take();
    files.push_back(printedGraph(scratch));
    for (HostileFile& bomb : printedBombs(scratch)) files.push_back(std::move(bomb));
    return files;
}

}  // namespace aotscope::test
