#pragma once

#include "models/palette.h"
#include "models/words/differing_words.h"
#include "record/graph_difference.h"

#include <QAbstractTableModel>
#include <memory>

namespace aotscope {

/// The texts of both sides of a difference. Printing large graphs takes long: call it on another thread.
struct DifferenceLines {
    struct Line {
        QString before, after;                  ///< empty if that side has no node
        int numberBefore = 0, numberAfter = 0;  ///< in the graph of that side; 0: none
    };
    std::shared_ptr<const GraphDifference> difference;
    std::vector<Line> lines;  ///< by row of the difference
    QString longest;          ///< of either side

    static std::shared_ptr<const DifferenceLines> of(std::shared_ptr<const GraphDifference> difference);
};

/// One side of a difference as text, the graph before or the graph after. Corresponding nodes have the same row on both
/// sides; where a side has no node, its row is empty. The vertical header shows how a row differs, and the line
/// numbers.
class DifferenceTextModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum class Side : std::uint8_t { before, after };
    explicit DifferenceTextModel(Side side, QObject* parent = nullptr);

    /// The parts of a line that differ from the other side: std::vector<TextPart>.
    enum Role { DifferingParts = Qt::UserRole, DifferingColour };

    void setDifference(std::shared_ptr<const DifferenceLines> lines);
    /// Hides rows that are the same on both sides.
    void setOnlyDifferences(bool only);
    void setScheme(ColourScheme scheme);
    const DifferenceRow& row(int row) const;
    /// "%add" added, ... in words; empty for rows that are the same.
    QString whatChanged(int row) const;
    /// The row of a node of the later graph, or of a removed one; -1: not shown.
    int rowOf(NodeId before, NodeId after) const;
    /// The longest line of either side.
    QString longestLine() const { return lines_ ? lines_->longest : QString(); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    using Line = DifferenceLines::Line;
    void refresh();
    const GraphDifference& difference() const { return *lines_->difference; }
    const Line& line(int row) const { return lines_->lines[shown_[static_cast<std::size_t>(row)]]; }
    const QString& textOf(const Line& line) const;
    int numberOf(const Line& line) const { return side_ == Side::before ? line.numberBefore : line.numberAfter; }
    QColor colourOf(int row) const;

    Side side_;
    std::shared_ptr<const DifferenceLines> lines_;
    std::vector<std::size_t> shown_;  ///< of the lines
    bool only_ = false;
    ColourScheme scheme_;
};

}  // namespace aotscope

Q_DECLARE_METATYPE(std::vector<aotscope::TextPart>)
