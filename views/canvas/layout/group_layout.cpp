#include "canvas/layout/group_layout.h"

#include "canvas/layout/compose_groups.h"
#include "canvas/layout/dot_process.h"
#include "canvas/layout/group_levels.h"
#include "canvas/layout/ladder.h"
#include "canvas/layout/layered/layered_layout.h"
#include "support/error.h"

#include <QSet>
#include <algorithm>

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr qsizetype kLargestCache = 64 << 20;  ///< bytes of questions

/// Lays out the levels of a picture, the innermost first, since their sizes determine the boxes around them.
class LevelJob {
public:
    LevelJob(LayoutCache& cache, const AskGraphviz& ask, GroupLevels& levels, const std::atomic<bool>& cancelled)
        : cache_(cache),
          ask_(ask),
          levels_(levels),
          cancelled_(cancelled),
          large_(levels.levels.size(), false),
          pictures_(levels.levels.size()) {}

    std::vector<LevelPicture> run() {
        for (auto depth = levels_.byDepth.rbegin(); depth != levels_.byDepth.rend(); ++depth) {
            for (const int group : *depth) {
                prepare(levels_.levels[static_cast<Index>(group)]);
                large_[static_cast<Index>(group)] = isLarge(levels_.levels[static_cast<Index>(group)]);
            }
            answer(*depth);
            for (const int group : *depth) finish(levels_.levels[static_cast<Index>(group)]);
        }
        return std::move(pictures_);
    }
    QString note;

private:
    void prepare(GroupLevel& level) {
        for (Index i = 0; i < level.items.size(); ++i)
            if (const int inner = level.items[i].group; inner >= 0)
                level.graph.nodes[i].size =
                    pictures_[static_cast<Index>(inner)].frameSize(level.items[i].backward ? 1 : 0);
        level.plan = planLayout(level.graph, rowsOf(level));
    }

    /// Whether a level is folded; others add to the time of Graphviz. What was asked before counts again, so that the
    /// same graph always has the same picture.
    bool isLarge(const GroupLevel& level) {
        // In a module, columns of the forward are apart from those of the backward: it is folded only if it must be.
        if (level.plan.widestRow > kWidestRow || (level.group == 0 && level.plan.rowCount() > kMostRows)) return true;
        double seconds = 0;
        for (const auto& column : level.plan.columns)
            if (!asked_.contains(column.dot)) seconds += column.seconds;
        if (seconds_ + seconds > kGraphvizSeconds) return true;
        seconds_ += seconds;
        for (const auto& column : level.plan.columns) asked_.insert(column.dot);
        return false;
    }

    void answer(const std::vector<int>& groups) {
        if (!note.isEmpty()) return;  // it will not answer now either
        std::vector<QByteArray> questions;
        for (const int group : groups) {
            if (large_[static_cast<Index>(group)]) continue;
            for (const auto& column : levels_.levels[static_cast<Index>(group)].plan.columns)
                if (!column.nodes.empty() && !cache_.find(column.dot) &&
                    std::find(questions.begin(), questions.end(), column.dot) == questions.end())
                    questions.push_back(column.dot);
        }
        try {
            const std::vector<QByteArray> answers = ask_(questions);
            for (Index i = 0; i < questions.size(); ++i)
                cache_.keep(questions[i], std::make_shared<const PlainLayout>(parsePlain(answers[i])));
        } catch (const NoLayout& e) {
            note = QString::fromUtf8(e.what());
        } catch (const Error&) {
            note = QStringLiteral("Graphviz failed: showing simple rows.");
        }
    }

    void finish(GroupLevel& level) {
        const bool large = large_[static_cast<Index>(level.group)];
        std::vector<PlainLayout> plain;
        for (const auto& column : level.plan.columns) {
            if (large) break;
            const auto known = column.nodes.empty() ? std::make_shared<const PlainLayout>() : cache_.find(column.dot);
            if (known) plain.push_back(*known);
        }
        GraphLayout layout;
        bool done = !large && plain.size() == level.plan.columns.size();
        try {
            if (done) layout = composeColumns(level.graph, level.plan, plain);
        } catch (const Error&) {
            note = QStringLiteral("Graphviz failed: showing simple rows.");
            done = false;
        }
        const Fold fold = !large ? Fold::never : level.group == 0 ? Fold::ladder : Fold::halves;
        if (!done) layout = layeredLayout(level.graph, level.plan, fold, cancelled_);
        finishEdges(level.graph, level.plan, layout);
        pictures_[static_cast<Index>(level.group)] = LevelPicture(level, std::move(layout));
    }

    LayoutCache& cache_;
    const AskGraphviz& ask_;
    GroupLevels& levels_;
    const std::atomic<bool>& cancelled_;
    std::vector<bool> large_;  ///< by group
    QSet<QByteArray> asked_;
    double seconds_ = 0;  ///< that Graphviz needs for all of them
    std::vector<LevelPicture> pictures_;
};

}  // namespace

std::shared_ptr<const PlainLayout> LayoutCache::find(const QByteArray& question) const {
    const QMutexLocker lock(&mutex_);
    return answers_.value(question);
}

void LayoutCache::keep(const QByteArray& question, const std::shared_ptr<const PlainLayout>& answer) {
    const QMutexLocker lock(&mutex_);
    size_ += question.size();
    if (size_ > kLargestCache) {
        answers_.clear();
        size_ = question.size();
    }
    answers_.insert(question, answer);
}

GraphLayout layOutGroups(const DrawnGraph& graph, LayoutCache& cache, const AskGraphviz& ask,
                         const std::atomic<bool>& cancelled) {
    GroupLevels levels = takeApart(graph);
    LevelJob job(cache, ask, levels, cancelled);
    const std::vector<LevelPicture> pictures = job.run();
    if (cancelled) return {};
    GraphLayout layout = composeGroups(graph, levels, pictures);
    layout.note = job.note;
    return layout;
}

}  // namespace aotscope
