#pragma once

#include "ir/graph.h"

#include <QAbstractListModel>
#include <QString>
#include <memory>
#include <unordered_map>
#include <vector>

namespace aotscope {

/// The text of a graph by lines, as the printer writes it.
struct GraphLines {
    std::shared_ptr<const Graph> graph;
    QString text;                           ///< every line with its end
    QString folded;                         ///< the same in lower case, for searching
    std::vector<qsizetype> starts;          ///< of each line in the text, and the end of the text
    std::vector<NodeId> nodes;              ///< of each line; of headings kNoNode, or the owner of a subgraph
    std::unordered_map<NodeId, int> rowOf;  ///< the line of a node
    QString longest;

    /// May take a second for 100,000 operations: call it on another thread.
    static std::shared_ptr<const GraphLines> of(std::shared_ptr<const Graph> graph);
    int count() const { return static_cast<int>(starts.size()) - 1; }
    QString line(int row) const;
    /// -1: no line has it.
    int row(NodeId node) const;
    /// The next line that contains `wanted`, starting with `from`, or the previous one, wrapping around; -1: none.
    int find(const QString& wanted, int from, bool forward) const;

private:
    int rowAt(qsizetype place) const;
};

/// The kind of a part of a line.
struct GraphTextPart {
    enum class Kind : std::uint8_t { name, type, operation, keyword } kind = Kind::name;
    qsizetype start = 0, length = 0;
    bool operator==(const GraphTextPart&) const = default;
};
/// The coloured parts of a line, in order.
std::vector<GraphTextPart> partsOf(const QString& line);

/// The lines as an item model.
class GraphTextModel : public QAbstractListModel {
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    /// Null: no text.
    void setLines(std::shared_ptr<const GraphLines> lines);
    const std::shared_ptr<const GraphLines>& lines() const { return lines_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    std::shared_ptr<const GraphLines> lines_;
};

}  // namespace aotscope
