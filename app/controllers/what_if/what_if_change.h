#pragma once

#include "ir/graph.h"
#include "record/options/partition_options.h"

#include <QUndoCommand>
#include <functional>
#include <vector>

namespace aotscope {

/// One change of the options of what-if. Changes by one movement of the slider are merged.
class OptionsChange : public QUndoCommand {
public:
    using Apply = std::function<void(const PartitionOptions&)>;

    OptionsChange(PartitionOptions before, PartitionOptions after, const QString& what, bool merge, Apply apply);

    void undo() override { apply_(before_); }
    void redo() override { apply_(after_); }
    int id() const override { return merge_ ? 1 : -1; }
    bool mergeWith(const QUndoCommand* other) override;

private:
    PartitionOptions before_, after_;
    bool merge_;
    Apply apply_;
};

/// An override for a value, whatever the partitioner would decide.
enum class ValueOverride : std::uint8_t { save, recompute, leave };

/// `options` with min-cut and an override for those of `nodes` that `joint` computes.
PartitionOptions withOverride(PartitionOptions options, ValueOverride wanted, const std::vector<NodeId>& nodes,
                              const Graph& joint);
/// "save %relu", "recompute 3 values".
QString overrideText(ValueOverride wanted, const std::vector<NodeId>& nodes, const Graph& joint);

}  // namespace aotscope
