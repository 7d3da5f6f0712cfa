#pragma once

#include "canvas/layout/placements.h"
#include "canvas/page_data.h"
#include "canvas/visible.h"
#include "io/text_report.h"
#include "models/module_tree_model.h"
#include "views/figures.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <optional>

namespace aotscope::test {

/// Reads the modules of one graph: their table, their closed boxes, and the page. A module has a box for every call, or
/// for separate operations of it; together they match the table.
class ModuleReader {
public:
    ModuleReader(Figures& figures, const std::shared_ptr<const CompileRecord>& record, GraphKind kind)
        : figures_(figures),
          graph_(record->graph(kind)),
          kind_(q(std::string(name(kind))) + u' '),
          tree_(std::make_shared<const ModuleTree>(moduleTree({record, graph_, kind, nullptr}))),
          drawn_(withGroups(drawGraph(*graph_, kind, *record))) {
        table_.setTree(tree_, u"model"_s);
    }

    void run() {
        for (depth_ = 1; depth_ <= drawn_->groups->deepest(); ++depth_) {
            const auto closed = visibleGraph(drawn_, collapsedTo(*drawn_->groups, depth_));
            for (const DrawnNode& box : closed->nodes)
                if (box.group >= 0 && (*drawn_->groups)[box.group].kind == ModuleGroup::Kind::module) add(box);
            page(*closed);
            for (const auto& [path, sum] : std::exchange(sums_, {})) compare(path, sum);
        }
    }

private:
    struct Sum {
        std::size_t operations = 0;
        std::optional<std::int64_t> savedBytes;
    };

    QString figure(const char* what, const QString& of) const {
        return kind_ + QString::fromUtf8(what) + u' ' + of + u" at depth "_s + QString::number(depth_);
    }

    void add(const DrawnNode& box) {
        Sum& sum = sums_[(*drawn_->groups)[box.group].path];
        sum.operations += static_cast<std::size_t>(box.operations);
        const QString counted = figure("operations in box", box.name + QString::number(static_cast<int>(box.stage)));
        figures_.match("box", box.lines.join(u'\n'), kCount + u"operation"_s, {counted});
        figures_.add(counted, "box counted", static_cast<std::size_t>(box.operations));
        for (const QString& line : box.lines) {
            if (!line.startsWith(u"saves "_s)) continue;
            sum.savedBytes = sum.savedBytes.value_or(0) + box.placement.savedBytes;
            const QString saved = figure("bytes saved by box", box.name);
            figures_.add(saved, "box", line == "saves nothing"_L1 ? u"0 B"_s : line.section(u", "_s, -1));
            figures_.bytes(saved, "box counted", box.placement.savedBytes);
        }
    }

    /// Parts of a module that is too large for one picture are not in the table.
    void compare(const QString& path, const Sum& sum) {
        const int module = tree_->byPath(path);
        if (module < 0) return;
        const auto cellOf = [&](int column) { return table_.indexOf(module, column).data().toString(); };
        figures_.add(figure("operations of", path), "Modules", cellOf(ModuleTreeModel::Column::operations));
        figures_.add(figure("operations of", path), "boxes", sum.operations);
        if (!sum.savedBytes) return;
        const QString saved = cellOf(ModuleTreeModel::Column::saved);
        figures_.add(figure("saved by", path), "Modules", saved.isEmpty() ? u"0 B"_s : saved);
        figures_.bytes(figure("saved by", path), "boxes", *sum.savedBytes);
    }

    void page(const DrawnGraph& closed) {
        const QJsonDocument data = QJsonDocument::fromJson(pageData(closed, *graph_));
        for (const auto& module : data[u"modules"_s].toArray()) {
            const DrawnNode& box = closed.nodes.at(static_cast<std::size_t>(module[u"box"_s].toInt()));
            const QString text = figure("text of", box.name + QString::number(static_cast<int>(box.stage)));
            figures_.add(text, "page", module[u"fate"_s].toString().section(u'\n', 0, box.lines.size() - 1));
            figures_.add(text, "box", box.lines.join(u'\n'));
        }
    }

    Figures& figures_;
    std::shared_ptr<const Graph> graph_;
    QString kind_;
    std::shared_ptr<const ModuleTree> tree_;
    std::shared_ptr<const DrawnGraph> drawn_;
    ModuleTreeModel table_;
    int depth_ = 0;
    std::map<QString, Sum> sums_;
};

}  // namespace aotscope::test
