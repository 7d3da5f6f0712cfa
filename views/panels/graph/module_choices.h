#pragma once

#include "canvas/visible.h"

#include <map>
#include <optional>

namespace aotscope {

/// Which modules of the graphs of a model are open: as a person has left them, or as they opened by themselves.
/// Graphs of one kind are seen alike. What a person has chosen is kept while other models are shown.
class ModuleChoices {
public:
    /// Whose graphs are shown from now on. True if these are other ones than before.
    bool setModel(const QString& model);

    /// Nothing: no graph of this kind has been seen yet.
    std::optional<ViewState> of(GraphKind kind) const;
    void choose(GraphKind kind, const ViewState& state);
    /// How the first graph of a kind has opened by itself.
    void remember(GraphKind kind, const ViewState& state) { opened_[kind] = state; }

    /// A person has changed what is open. `single`: of certain modules, not of all at some depth.
    void changedByHand(GraphKind kind, const ViewState& before, const ViewState& after, bool single);
    /// Keys of modules that zooming leaves as they are.
    const QSet<QString>& byHand(GraphKind kind) { return byHand_[kind]; }

private:
    QString model_;
    std::map<std::pair<QString, GraphKind>, ViewState> chosen_;
    std::map<GraphKind, ViewState> opened_;
    std::map<GraphKind, QSet<QString>> byHand_;
};

}  // namespace aotscope
