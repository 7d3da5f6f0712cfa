// Changes planted in graphs.

#include "compared_runs.h"
#include "test_differences.h"

#include <algorithm>
#include <functional>

using namespace aotscope;
using namespace aotscope::test;

namespace {

/// A change of one graph. Returns the name of the node to be reported; empty: the graph has no place for it.
struct Plant {
    const char* name;
    Aspect aspect;
    std::function<std::string(Graph&)> change;
};

/// The first call, from the middle on, that `fits`.
template <typename Fits>
Node* callThat(const Graph& graph, Fits&& fits) {
    for (const std::size_t half : {graph.size() / 2, std::size_t{0}})
        for (std::size_t i = half; i < graph.size(); ++i)
            if (graph.at(i)->kind() == NodeKind::call && fits(*graph.at(i))) return graph.at(i);
    return nullptr;
}

template <typename Change>
std::string changed(Node* node, Change&& change) {
    if (!node) return {};
    change(*node);
    return node->name();
}

std::string changeArgument(Graph& graph, const std::function<bool(const Argument&)>& fits, const Argument& now) {
    const auto isIt = [&](const Argument& a) { return fits(a); };
    Node* node = callThat(graph, [&](const Node& n) { return std::ranges::any_of(n.args(), isIt); });
    return changed(node, [&](Node& n) {
        auto args = n.args();
        *std::ranges::find_if(args, isIt) = now;
        graph.setArguments(&n, std::move(args), n.kwargs());
    });
}

std::string changeType(Graph& graph, const std::function<bool(const TensorType&)>& fits,
                       const std::function<void(TensorType&)>& change) {
    Node* node = callThat(graph, [&](const Node& n) { return n.type.tensor() && fits(*n.type.tensor()); });
    return changed(node, [&](Node& n) { change(*n.type.tensor()); });
}

bool always(const TensorType&) { return true; }
bool isMatrix(const TensorType& t) { return t.sizes.size() >= 2 && t.sizes[0] > 1 && t.sizes[1] > 1; }

std::string swapOperands(Graph& graph) {
    Node* node = callThat(graph, [](const Node& n) {
        return n.args().size() >= 2 && n.args()[0].node() && n.args()[1].node() && !(n.args()[0] == n.args()[1]);
    });
    return changed(node, [&](Node& n) {
        auto args = n.args();
        std::swap(args[0], args[1]);
        graph.setArguments(&n, std::move(args), n.kwargs());
    });
}

/// Another operand, computed earlier.
std::string moveEdge(Graph& graph) {
    Node* node = callThat(graph, [&](const Node& n) {
        return !n.args().empty() && n.args()[0].node() && n.args()[0].node() != graph.at(0);
    });
    return changed(node, [&](Node& n) {
        auto args = n.args();
        args[0] = graph.at(0);
        graph.setArguments(&n, std::move(args), n.kwargs());
    });
}

Node* replace(Graph& graph, Node* node, std::string op) {
    Node* other = graph.addCall(std::move(op), node->args(), node->kwargs(), node->type, node->name() + "_other");
    other->stage = node->stage;
    other->source = node->source;
    auto order = graph.nodes();
    std::erase(order, other);
    order.insert(std::ranges::find(order, node), other);
    graph.reorder(order);
    graph.replaceAllUses(node, other);
    graph.eraseIf([&](const Node* n) { return n == node; });
    return other;
}

std::string replaceOperation(Graph& graph) {
    Node* node = callThat(graph, [](const Node& n) { return n.type.tensor() && !n.inputs().empty(); });
    return node ? replace(graph, node, "aten.planted.default")->name() : std::string();
}

std::string removeNode(Graph& graph) {
    Node* node = callThat(graph, [](const Node& n) { return n.inputs().size() == 1 && n.type.tensor(); });
    if (!node) return {};
    const std::string name = node->name();
    graph.replaceAllUses(node, node->inputs()[0]);
    graph.eraseIf([&](const Node* n) { return n == node; });
    return name;
}

std::string addNode(Graph& graph) {
    Node* node = callThat(graph, [](const Node& n) { return n.type.tensor() != nullptr; });
    if (!node) return {};
    Node* added = graph.addCall("aten.clone.default", {node}, {}, node->type, "planted");
    added->stage = node->stage;
    return added->name();
}

/// Two neighbours that do not need each other.
std::string exchangeNeighbours(Graph& graph) {
    auto order = graph.nodes();
    for (std::size_t i = graph.size() / 2; i + 1 < order.size(); ++i) {
        Node *a = order[i], *b = order[i + 1];
        if (a->kind() != NodeKind::call || b->kind() != NodeKind::call) continue;
        if (std::ranges::find(b->inputs(), a) != b->inputs().end()) continue;
        std::swap(order[i], order[i + 1]);
        graph.reorder(order);
        return "from line ";  // one of them has moved
    }
    return {};
}

std::string exchangeOutputs(Graph& graph) {
    std::vector<Argument> outputs = graph.outputs();
    for (std::size_t i = 1; i < outputs.size(); ++i) {
        if (outputs[0] == outputs[i]) continue;
        std::swap(outputs[0], outputs[i]);
        graph.setArguments(graph.output(), std::move(outputs));
        return "return";
    }
    return {};
}

std::string addKeyword(Graph& graph) {
    return changed(callThat(graph, [](const Node& n) { return n.kwargs().empty() && !n.inputs().empty(); }),
                   [&](Node& n) {
                       graph.setArguments(&n, n.args(), {{"planted", 1}});
                   });
}

std::string changeList(Graph& graph) {
    const auto isSizes = [](const Argument& a) {
        return a.list() && !a.list()->empty() && a.list()->front().integer();
    };
    Node* node = callThat(graph, [&](const Node& n) { return std::ranges::any_of(n.args(), isSizes); });
    return changed(node, [&](Node& n) {
        auto args = n.args();
        Argument& list = *std::ranges::find_if(args, isSizes);
        Argument::List sizes = *list.list();
        sizes.front() = Argument(77);
        list = sizes;
        graph.setArguments(&n, std::move(args), n.kwargs());
    });
}

std::string shareMemory(Graph& graph) {
    Node *node = callThat(graph, [](const Node&n) { return n.type.tensor() && n.type.tensor()->storage >= 0; }),
         *input = graph.at(0);
    if (!node || !input->type.tensor() || node->type.tensor()->storage == input->type.tensor()->storage) return {};
    node->type.tensor()->storage = input->type.tensor()->storage;
    return node->name();
}

std::string changePlaceholder(Graph& graph, const std::function<void(Node&)>& change) {
    return changed(graph.placeholders().back(), change);
}

const std::vector<Plant>& plants() {
    using enum Aspect;
    static const auto isReal = [](const Argument& a) { return std::holds_alternative<double>(a.value); };
    static const auto isInteger = [](const Argument& a) { return a.integer() != nullptr; };
    static const auto isBool = [](const Argument& a) { return std::holds_alternative<bool>(a.value); };
    static const std::vector<Plant> all = {
        {"real", constants, [](Graph& g) { return changeArgument(g, isReal, 0.51); }},
        {"integer", constants, [](Graph& g) { return changeArgument(g, isInteger, 77); }},
        {"truth value", constants,
         [](Graph& g) {
             const auto is = [](const Argument& a) { return isBool(a) && !std::get<bool>(a.value); };
             return changeArgument(g, is, true);
         }},
        {"list", constants, changeList},
        {"keyword", constants, addKeyword},
        {"dtype", dtypes, [](Graph& g) { return changeType(g, always, [](TensorType& t) { t.dtype = DType::f64; }); }},
        {"shape", shapes, [](Graph& g) { return changeType(g, isMatrix, [](TensorType& t) { t.sizes[0] += 1; }); }},
        {"strides", strides,
         [](Graph& g) {
             return changeType(g, isMatrix, [](TensorType& t) { std::swap(t.strides[0], t.strides[1]); });
         }},
        {"offset", strides,
         [](Graph& g) { return changeType(g, always, [](TensorType& t) { t.storageOffset += 1; }); }},
        {"device", devices,
         [](Graph& g) { return changeType(g, always, [](TensorType& t) { t.device = {"cuda:0"}; }); }},
        {"requires_grad", metadata,
         [](Graph& g) { return changeType(g, always, [](TensorType& t) { t.requiresGrad = !t.requiresGrad; }); }},
        {"alias", aliasing, shareMemory},
        {"argument order", arguments, swapOperands},
        {"edge", arguments, moveEdge},
        {"operation", operations, replaceOperation},
        {"removed", operations, removeNode},
        {"added", operations, addNode},
        {"order", order, exchangeNeighbours},
        {"outputs", arguments, exchangeOutputs},
        {"role", metadata, [](Graph& g) { return changePlaceholder(g, [](Node& n) { n.role = Role::buffer; }); }},
        {"label", names, [](Graph& g) { return changePlaceholder(g, [](Node& n) { n.label = "planted"; }); }},
        {"tag", metadata,
         [](Graph& g) {
             return changed(callThat(g, [](const Node&) { return true; }),
                            [](Node& n) { n.checkpoint.policy = CheckpointPolicy::mustSave; });
         }},
        {"half", metadata,
         [](Graph& g) {
             return changed(callThat(g, [](const Node&) { return true; }),
                            [](Node& n) { n.stage = n.stage == Stage::forward ? Stage::backward : Stage::forward; });
         }},
    };
    return all;
}

}  // namespace

void TestDifferences::plantedInGraphs_data() {
    columns<QString, int, int>("model", "kind", "plant");
    const std::vector<std::pair<const char*, GraphKind>> places = {
        {"mlp", GraphKind::joint}, {"mutations", GraphKind::functional}, {"sincos", GraphKind::forward}};
    for (const auto& [model, kind] : places)
        for (std::size_t i = 0; i < plants().size(); ++i)
            QTest::addRow("%s %s", model, plants()[i].name) << model << static_cast<int>(kind) << static_cast<int>(i);
}
/// Between two runs, two reports, and a run and a report; ignored differences are not found.
void TestDifferences::plantedInGraphs() {
    QFETCH(const QString, model);
    QFETCH(const int, kind);
    QFETCH(const int, plant);
    const Plant& planted = plants()[static_cast<std::size_t>(plant)];
    const Opened& before = sample(model.toStdString());
    const auto graphKind = static_cast<GraphKind>(kind);
    const std::shared_ptr<Graph> graph = before.record->graph(graphKind)->clone();
    const std::string node = planted.change(*graph);
    if (node.empty()) return;  // it lacks that argument
    ++planted_;
    const Opened after = before.with(graphKind, graph);
    const ComparedRun was = before.run(), is = after.run(), wasReported = before.reported(),
                      isReported = after.reported();
    for (const auto& [left, right] : {std::pair{&was, &is}, {&wasReported, &isReported}, {&isReported, &was}}) {
        const RunDifference difference = compare(*left, *right);
        QVERIFY2(!difference.empty(), qPrintable(q(node)));
        QVERIFY2(names(difference, node), qPrintable(q(node) + u'\n' + described(difference)));
        QVERIFY2(aspectsOf(difference).has(planted.aspect), qPrintable(described(difference)));
        QVERIFY(differenceJson(difference).at("changed") == json(true));
        if (left != &was) continue;
        const RunDifference ignored = compare(*left, *right, aspectsOf(difference) | AspectSet{Aspect::partition});
        QVERIFY2(ignored.empty(), qPrintable(described(ignored)));
    }
}
void TestDifferences::enoughWasPlanted() { QVERIFY2(planted_ >= 60, qPrintable(QString::number(planted_))); }
