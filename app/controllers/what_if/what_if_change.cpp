#include "controllers/what_if/what_if_change.h"

#include "models/words/to_qstring.h"
#include "support/names.h"

#include <QObject>

namespace aotscope {

OptionsChange::OptionsChange(PartitionOptions before, PartitionOptions after, const QString& what, bool merge,
                             Apply apply)
    : QUndoCommand(what),
      before_(std::move(before)),
      after_(std::move(after)),
      merge_(merge),
      apply_(std::move(apply)) {}

bool OptionsChange::mergeWith(const QUndoCommand* other) {
    const auto* next = static_cast<const OptionsChange*>(other);
    after_ = next->after_;
    setText(next->text());
    return true;
}

PartitionOptions withOverride(PartitionOptions options, ValueOverride wanted, const std::vector<NodeId>& nodes,
                              const Graph& joint) {
    options.algorithm = PartitionAlgorithm::minCut;
    for (const NodeId id : nodes) {
        if (const Node* node = joint.findById(id); !node || node->kind() != NodeKind::call) continue;
        options.cut.mustSave.erase(id);
        options.cut.mustRecompute.erase(id);
        if (wanted == ValueOverride::save) options.cut.mustSave.insert(id);
        if (wanted == ValueOverride::recompute) options.cut.mustRecompute.insert(id);
    }
    return options;
}

QString overrideText(ValueOverride wanted, const std::vector<NodeId>& nodes, const Graph& joint) {
    const QString values = nodes.size() == 1 ? QStringLiteral("%") + toQString(joint.findById(nodes.front())->name())
                                             : toQString(counted(nodes.size(), "value"));
    const QString text = wanted == ValueOverride::save        ? QObject::tr("save %1")
                         : wanted == ValueOverride::recompute ? QObject::tr("recompute %1")
                                                              : QObject::tr("leave %1 to the partitioner");
    return text.arg(values);
}

}  // namespace aotscope
