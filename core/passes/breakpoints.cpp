#include "passes/breakpoints.h"

#include "query/query.h"
#include "record/graph_difference.h"
#include "support/enumerators.h"
#include "support/names.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace {

using When = Breakpoint::When;

/// The changes of the last pass, computed when the first breakpoint needs them.
class LastPass {
public:
    explicit LastPass(const CompileRecord& record) : record_(record), facts_(record) {
        const auto graphs = graphsOf(record);
        const std::size_t last = record.passes.size() - 1;
        for (std::size_t i = 0; i < graphs.size(); ++i) {
            if (graphs[i].pass == last && record.passes[last].changed) {
                if (after_.empty() && before_) before_ = graphs[graphBefore(graphs, i)];
                after_.push_back(graphs[i]);
            } else if (after_.empty()) {
                before_ = graphs[i];
            }
        }
        if (last == 0) after_.assign(graphs.begin(), graphs.end());
    }

    std::optional<BreakpointHit> find(When when, const Query& query) {
        if (after_.empty()) return std::nullopt;
        prepare();
        return when == When::nodeDies ? findDead(query) : findLiving(when, query);
    }

private:
    void prepare() {
        if (prepared_) return;
        prepared_ = true;
        for (const PassGraph& after : after_) {
            if (!before_) continue;
            differences_.push_back(compareGraphs(record_, before_->graph, before_->kind, after.graph, after.kind));
        }
    }

    std::optional<BreakpointHit> findLiving(When when, const Query& query) {
        using enum DifferenceKind;
        const auto isWanted = [&](DifferenceKind kind) {
            return when == When::nodeAppears ? kind == added || kind == replaced : kind == changed;
        };
        for (std::size_t i = 0; i < after_.size(); ++i) {
            std::unordered_map<NodeId, const DifferenceRow*> rows;
            if (i < differences_.size())
                for (const DifferenceRow& row : differences_[i].rows)
                    if (isWanted(row.kind)) rows[row.after] = &row;
            for (const QueryFacts& facts : facts_.of(*after_[i].graph, after_[i].kind)) {
                const auto row = rows.find(facts.node->id());
                const bool first = !before_ && when == When::nodeAppears;
                if (!(first || row != rows.end()) || !query.matches(facts)) continue;
                std::string reason = "%" + facts.node->name();
                reason += when == When::nodeAppears ? " has appeared" : " has changed: " + row->second->what;
                return hit(std::move(reason), after_[i], facts.node->id());
            }
        }
        return std::nullopt;
    }

    std::optional<BreakpointHit> findDead(const Query& query) {
        if (differences_.empty()) return std::nullopt;
        for (const QueryFacts& facts : facts_.of(*before_->graph, before_->kind)) {
            const NodeId id = facts.node->id();
            const auto isGone = [&](const GraphDifference& difference) {
                const auto row = std::ranges::find(difference.rows, id, &DifferenceRow::before);
                return row != difference.rows.end() &&
                       (row->kind == DifferenceKind::removed || row->kind == DifferenceKind::replaced);
            };
            // Forward and backward share nodes: those in either are not removed.
            if (!query.matches(facts) || !std::ranges::all_of(differences_, isGone)) continue;
            const auto row = std::ranges::find(differences_[0].rows, id, &DifferenceRow::before);
            return hit("%" + facts.node->name() + " is gone" + (row->what.empty() ? "" : ": " + row->what), *before_,
                       id);
        }
        return std::nullopt;
    }

    BreakpointHit hit(std::string reason, const PassGraph& where, NodeId node) const {
        return {0, "after the pass '" + std::string(name(record_.passes.back())) + "': " + std::move(reason), where,
                node};
    }

    const CompileRecord& record_;
    RecordFacts facts_;
    std::optional<PassGraph> before_;
    std::vector<PassGraph> after_;
    std::vector<GraphDifference> differences_;
    bool prepared_ = false;
};

}  // namespace

std::string_view describe(When when) {
    using enum Breakpoint::When;
    return textFor(when, {{passStarts, "a pass starts"},
                          {nodeAppears, "a node appears"},
                          {nodeChanges, "a node changes"},
                          {nodeDies, "a node is removed"}});
}

std::vector<std::string> passesToPauseAt(const CompileRecord* record) {
    std::vector<std::string> passes = passNames();
    if (record)
        for (const PassRecord& pass : record->passes)
            if (!pass.title.empty()) passes.push_back(pass.title);
    return passes;
}

void requireValid(const Breakpoint& breakpoint, const std::vector<std::string>& passes) {
    if (breakpoint.when != When::passStarts) {
        (void)Query::parse(breakpoint.what);
        return;
    }
    if (std::ranges::find(passes, breakpoint.what) == passes.end())
        throw Error("there is no pass '" + breakpoint.what + "'; passes are " + quotedNames(passes));
}

std::optional<BreakpointHit> testBreakpoints(const std::vector<Breakpoint>& breakpoints, const CompileRecord& record,
                                             std::string_view next) {
    if (record.passes.empty()) return std::nullopt;
    std::optional<LastPass> last;
    for (std::size_t i = 0; i < breakpoints.size(); ++i) {
        const Breakpoint& breakpoint = breakpoints[i];
        if (!breakpoint.enabled) continue;
        std::optional<BreakpointHit> hit;
        if (breakpoint.when == When::passStarts) {
            if (!next.empty() && next == breakpoint.what)
                hit = BreakpointHit{i, "the pass '" + breakpoint.what + "' is about to start", {}};
        } else {
            if (!last) last.emplace(record);
            hit = last->find(breakpoint.when, Query::parse(breakpoint.what));
        }
        if (!hit) continue;
        hit->breakpoint = i;
        return hit;
    }
    return std::nullopt;
}

}  // namespace aotscope
