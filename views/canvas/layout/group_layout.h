#pragma once

#include "canvas/layout/layout.h"
#include "canvas/layout/plain_parser.h"

#include <QHash>
#include <QMutex>
#include <functional>

namespace aotscope {

/// Answers of Graphviz by question, so that equal groups are laid out once. May be used from several threads.
class LayoutCache {
public:
    /// Null: unknown.
    std::shared_ptr<const PlainLayout> find(const QByteArray& question) const;
    void keep(const QByteArray& question, const std::shared_ptr<const PlainLayout>& answer);

private:
    mutable QMutex mutex_;
    QHash<QByteArray, std::shared_ptr<const PlainLayout>> answers_;
    qsizetype size_ = 0;  ///< of all questions
};

/// Asks Graphviz many questions at once. Throws Error if it does not answer.
using AskGraphviz = std::function<std::vector<QByteArray>(const std::vector<QByteArray>&)>;

/// Lays out a picture with groups: each open group on its own, the inner ones first, then all put together. Groups that
/// are too large for Graphviz are laid out without it. If it does not answer, all are, and the layout's note says why.
/// If `cancelled` becomes true, there is no picture.
GraphLayout layOutGroups(const DrawnGraph& graph, LayoutCache& cache, const AskGraphviz& ask,
                         const std::atomic<bool>& cancelled = kNeverCancelled);

}  // namespace aotscope
