#pragma once

#include "canvas/visible.h"

#include <map>
#include <optional>

namespace aotscope {

/// Which modules of a model's graphs are open: as the user has left them, or as opened automatically. Graphs of one
/// kind share this. The user's choices are kept while other models are shown.
class ModuleChoices {
public:
    /// Sets the model of the shown graphs. True if it has changed.
    bool setModel(const QString& model);

    /// Nothing: no graph of this kind was shown yet.
    std::optional<ViewState> of(GraphKind kind) const;
    void choose(GraphKind kind, const ViewState& state);
    /// The automatic state of the first graph of a kind.
    void remember(GraphKind kind, const ViewState& state) { opened_[kind] = state; }

    /// The user has changed what is open. `single`: for certain modules, not for all at some depth.
    void changedByHand(GraphKind kind, const ViewState& before, const ViewState& after, bool single);
    /// Keys of modules that zooming leaves alone.
    const QSet<QString>& byHand(GraphKind kind) { return byHand_[kind]; }

private:
    QString model_;
    std::map<std::pair<QString, GraphKind>, ViewState> chosen_;
    std::map<GraphKind, ViewState> opened_;
    std::map<GraphKind, QSet<QString>> byHand_;
};

}  // namespace aotscope
