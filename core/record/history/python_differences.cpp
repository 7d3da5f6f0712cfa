#include "record/history/python_differences.h"

#include "ir/provenance.h"
#include "record/saved_copies.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace aotscope {

namespace {

/// What differs, and where, in the order in which it was found.
class Findings {
public:
    void add(const std::string& place, const std::string& text) {
        const auto known = std::ranges::find(all_, text, &Finding::text);
        if (known == all_.end()) all_.push_back({place, text});
        else ++known->more;
    }
    /// Places with the same difference, such as the statistics of all batch norms, share a sentence.
    std::vector<std::string> sentences() const {
        std::vector<std::string> list;
        for (const Finding& each : all_)
            list.push_back(each.place +
                           (each.more > 0 ? ", and " + std::to_string(each.more) + " more like it: " : ": ") +
                           each.text);
        return list;
    }

private:
    struct Finding {
        std::string place, text;
        std::size_t more = 0;
    };

    std::vector<Finding> all_;
};

/// "lstm (encoder.rnn (LSTM), model.py:12)"
std::string atNode(const Node& node) {
    const std::string place = placeText(provenanceOf(node).source.get());
    return "%" + node.name() + (place.empty() ? "" : " (" + place + ")");
}

double numberAt(const Node& node, std::size_t index, std::string_view name) {
    const Argument* value = node.argument(index, name);
    if (!value) return 0;
    if (const auto* whole = std::get_if<std::int64_t>(&value->value)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value->value)) return *real;
    if (const auto* truth = std::get_if<bool>(&value->value)) return *truth ? 1 : 0;
    return 0;
}

bool isRecurrentLayers(std::string_view op) {
    constexpr std::array<std::string_view, 4> layers = {"aten.lstm.input", "aten.gru.input", "aten.rnn_tanh.input",
                                                        "aten.rnn_relu.input"};
    return std::find(layers.begin(), layers.end(), op) != layers.end();
}

/// For the program as written.
void compareSource(const Graph& source, Findings& found) {
    for (const Node* node : source.nodes()) {
        if (node->kind() != NodeKind::call) continue;
        const bool drops = isRecurrentLayers(node->op()) && numberAt(*node, 4, "num_layers") > 1 &&
                           numberAt(*node, 5, "dropout") > 0 && numberAt(*node, 6, "train") != 0;
        if (drops)
            found.add(atNode(*node),
                      "Python's graph has no dropout between the layers; this one has, as eager runs it");
        if (packetOf(node->op()) == "aten.multilabel_margin_loss" ||
            packetOf(node->op()) == "aten.multilabel_margin_loss_forward")
            found.add(atNode(*node),
                      "Python 2.13 adds losses for places after the end of the labels; this graph does not, as "
                      "eager does not");
    }
}

/// Batch norms whose result has a different layout than their input.
void compareStrides(const Graph& graph, Findings& found) {
    for (const Node* node : graph.nodes()) {
        if (node->kind() != NodeKind::call || node->stage == Stage::backward || node->args().empty()) continue;
        const std::string_view packet = packetOf(node->op());
        if (packet.find("native_batch_norm") == std::string_view::npos || packet.ends_with("_backward")) continue;
        const Node* input = node->args()[0].node();
        const auto* results = node->type.tuple();
        if (!input || !results || results->empty()) continue;
        const TensorType *given = input->type.tensor(), *made = results->front().tensor();
        if (given && made && given->sizes == made->sizes && given->strides != made->strides)
            found.add(atNode(*node),
                      "Python takes the result to have the strides of its input, which the kernel's has not, "
                      "and its graph may fail; this one has the kernel's");
    }
}

void comparePartition(const Partition& partition, const Graph& joint, Findings& found) {
    for (const ValueDecision& decision : partition.decisions) {
        const bool kept =
            decision.placement == ValueDecision::Placement::saved &&
            std::find(decision.bans.begin(), decision.bans.end(), BanReason::clonedInput) != decision.bans.end();
        const Node* node = kept ? joint.findById(decision.node) : nullptr;
        if (node)
            found.add(atNode(*node),
                      "Python may recompute this copy of an input that is overwritten by then; here it is "
                      "never recomputed");
    }
}

/// Inputs whose old values the backward reads although they are written back.
void compareSavedInputs(const CompileRecord& record, Findings& found) {
    for (const std::size_t i : savedCopies(*record.partition, record.knownMetadata())) {
        const SavedValue& value = record.partition->saved[i];
        found.add("%" + value.name + (value.label.empty() ? "" : " ('" + value.label + "')"),
                  "Python saves this input itself, although it is written back after the forward, so that its "
                  "backward reads the new values or fails; here a copy from before is saved");
    }
}

}  // namespace

std::vector<std::string> pythonDifferences(const CompileRecord& record) {
    Findings found;
    const auto source = record.graph(GraphKind::source);
    if (!source) return {};  // graphs printed by Python
    compareSource(*source, found);
    if (const auto functional = record.graph(GraphKind::functional)) compareStrides(*functional, found);
    const auto joint = record.graph(GraphKind::joint);
    if (record.partition && joint) comparePartition(*record.partition, *joint, found);
    if (record.partition) compareSavedInputs(record, found);
    return found.sentences();
}

}  // namespace aotscope
