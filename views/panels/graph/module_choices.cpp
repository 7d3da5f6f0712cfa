#include "panels/graph/module_choices.h"

namespace aotscope {

bool ModuleChoices::setModel(const QString& model) {
    if (model == model_) return false;
    model_ = model;
    opened_.clear();
    byHand_.clear();
    return true;
}

std::optional<ViewState> ModuleChoices::of(GraphKind kind) const {
    if (const auto chosen = chosen_.find({model_, kind}); chosen != chosen_.end()) return chosen->second;
    const auto opened = opened_.find(kind);
    return opened == opened_.end() ? std::nullopt : std::optional(opened->second);
}

void ModuleChoices::choose(GraphKind kind, const ViewState& state) { chosen_[{model_, kind}] = state; }

/// Opened modules stay open; closed ones stay closed only if they were chosen individually.
void ModuleChoices::changedByHand(GraphKind kind, const ViewState& before, const ViewState& after, bool single) {
    QSet<QString>& byHand = byHand_[kind];
    const QSet<QString> closed = after.collapsed - before.collapsed;
    byHand |= before.collapsed - after.collapsed;
    if (single) byHand |= closed;
    else byHand -= closed;
}

}  // namespace aotscope
