#include "canvas/layout/layered/layered_layout.h"

#include "canvas/layout/ladder.h"
#include "canvas/layout/layered/fold.h"
#include "canvas/layout/layered/order_rows.h"
#include "canvas/layout/layered/place_across.h"
#include "canvas/layout/layered/row_limits.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr double kBendWidth = 2, kBetweenColumns = 150;
constexpr double kRoomForSlant = 0.1, kMostRoomForSlant = 70;  ///< between rows, by how far edges lead sideways

/// One half of a column: the forward or the backward of some rows.
struct Piece {
    Layers layers;           ///< the boxes first
    std::vector<int> boxes;  ///< of the first vertices
    struct Way {
        int edge = 0;
        int bends = 0, count = 0;  ///< the first bend of the edge, and the number of bends
    };
    std::vector<Way> ways;
    std::vector<double> x;  ///< of the middle of each vertex
    double width = 0;
};

struct FoldedColumn {
    int first = 0, last = 0;  ///< rows
    std::array<Piece, 2> halves;
    std::vector<double> tops, heights;  ///< of its rows
};

class LayeredDrawing {
public:
    LayeredDrawing(const DrawnGraph& graph, LayoutPlan& plan, Fold fold, const std::atomic<bool>& cancelled)
        : graph_(graph), plan_(plan), fold_(fold), cancelled_(cancelled) {
        layout_.boxes.resize(graph.nodes.size());
        layout_.edges.resize(graph.edges.size());
    }

    GraphLayout run() {
        if (fold_ != Fold::never) limitRows(graph_, plan_);
        makeColumns();
        fill();
        for (FoldedColumn& column : columns_) {
            if (cancelled_) return std::move(layout_);
            for (Piece& piece : column.halves) {
                orderRows(piece.layers);
                piece.x = placeAcross(piece.layers);
                for (Index v = 0; v < piece.x.size(); ++v)
                    piece.width = std::max(piece.width, piece.x[v] + piece.layers.vertices[v].width / 2);
            }
            setHeights(column);
        }
        placeBoxes();
        for (const FoldedColumn& column : columns_)
            for (const Piece& piece : column.halves) drawEdges(column, piece);
        return std::move(layout_);
    }

private:
    const QSizeF& sizeOf(int box) const { return graph_.nodes[static_cast<Index>(box)].size; }
    int rowOf(int box) const { return plan_.rows[static_cast<Index>(box)]; }
    Index halfOf(int box) const { return graph_.isBackward(box) ? 1 : 0; }
    int columnOf(int box) const { return columnOfRow_[static_cast<Index>(rowOf(box))]; }

    /// Cuts the rows into columns, and the edges between these.
    void makeColumns() {
        const int rows = plan_.rows.empty() ? 0 : *std::max_element(plan_.rows.begin(), plan_.rows.end()) + 1;
        std::vector<int> starts{0};
        if (fold_ != Fold::never) starts = foldRows(measured(rows), kBetweenColumns);
        columnOfRow_.resize(static_cast<Index>(rows), 0);
        columns_.resize(starts.size());
        for (Index c = 0; c < starts.size(); ++c) {
            columns_[c].first = starts[c];
            columns_[c].last = c + 1 < starts.size() ? starts[c + 1] - 1 : rows - 1;
            for (int r = columns_[c].first; r <= columns_[c].last; ++r)
                columnOfRow_[static_cast<Index>(r)] = static_cast<int>(c);
        }
        for (Index e = 0; e < graph_.edges.size(); ++e)
            if (columnOf(graph_.edges[e].from) != columnOf(graph_.edges[e].to)) plan_.stubs[e] = true;
    }

    std::vector<RowSize> measured(int rows) const {
        std::vector<RowSize> sizes(static_cast<Index>(rows));
        std::vector<int> change(static_cast<Index>(rows) + 1, 0);
        for (Index i = 0; i < graph_.nodes.size(); ++i) {
            RowSize& row = sizes[static_cast<Index>(plan_.rows[i])];
            row.width += graph_.nodes[i].size.width() + kRowGap;
            row.height = std::max(row.height, graph_.nodes[i].size.height() + kRowGap);
        }
        for (Index e = 0; e < graph_.edges.size(); ++e) {
            if (plan_.stubs[e]) continue;
            const auto [top, bottom] = std::minmax({rowOf(graph_.edges[e].from), rowOf(graph_.edges[e].to)});
            ++change[static_cast<Index>(top) + 1];
            --change[static_cast<Index>(bottom) + 1];
        }
        int passing = 0;
        for (Index r = 0; r < sizes.size(); ++r) {
            sizes[r].passing = passing += change[r];
            sizes[r].width += kGutter;
        }
        return sizes;
    }

    /// Puts boxes and edges into the pieces.
    void fill() {
        std::vector<int> vertex(graph_.nodes.size());
        for (FoldedColumn& column : columns_)
            for (Piece& piece : column.halves)
                piece.layers.rows.resize(static_cast<Index>(column.last - column.first + 1));
        for (Index i = 0; i < graph_.nodes.size(); ++i) {
            const int box = static_cast<int>(i);
            FoldedColumn& column = columns_[static_cast<Index>(columnOf(box))];
            Piece& piece = column.halves[halfOf(box)];
            vertex[i] = addVertex(piece.layers, rowOf(box) - column.first, {sizeOf(box).width(), false});
            piece.boxes.push_back(box);
        }
        for (Index e = 0; e < graph_.edges.size(); ++e) {
            const DrawnEdge& edge = graph_.edges[e];
            if (plan_.stubs[e] || edge.kind != DrawnEdge::Kind::flow) continue;
            const bool down = rowOf(edge.from) < rowOf(edge.to);
            const int upper = down ? edge.from : edge.to, lower = down ? edge.to : edge.from;
            FoldedColumn& column = columns_[static_cast<Index>(columnOf(upper))];
            Piece& piece = column.halves[halfOf(upper)];
            Layers& layers = piece.layers;
            Piece::Way way{static_cast<int>(e), static_cast<int>(layers.vertices.size()), 0};
            int last = vertex[static_cast<Index>(upper)];
            for (int row = rowOf(upper) + 1; row < rowOf(lower); ++row, ++way.count) {
                const int bend = addVertex(layers, row - column.first, {kBendWidth, true});
                layers.edges.emplace_back(last, bend);
                last = bend;
            }
            layers.edges.emplace_back(last, vertex[static_cast<Index>(lower)]);
            piece.ways.push_back(way);
        }
    }

    static int addVertex(Layers& layers, int row, Layers::Vertex vertex) {
        const int added = static_cast<int>(layers.vertices.size());
        layers.vertices.push_back(vertex);
        layers.rows[static_cast<Index>(row)].push_back(added);
        return added;
    }

    /// Rows are as high as their highest box in either half; edges that lead far sideways need room between rows.
    void setHeights(FoldedColumn& column) const {
        const Index rows = static_cast<Index>(column.last - column.first + 1);
        column.heights.assign(rows, 0);
        std::vector<double> aside(rows, 0);
        for (const Piece& piece : column.halves) {
            const std::vector<int> row = piece.layers.rowOfEach();
            for (Index v = 0; v < piece.boxes.size(); ++v) {
                double& height = column.heights[static_cast<Index>(row[v])];
                height = std::max(height, sizeOf(piece.boxes[v]).height());
            }
            for (const auto& [upper, lower] : piece.layers.edges) {
                double& far = aside[static_cast<Index>(row[static_cast<Index>(lower)])];
                far = std::max(far, std::abs(piece.x[static_cast<Index>(upper)] - piece.x[static_cast<Index>(lower)]));
            }
        }
        double top = 0;
        for (Index r = 0; r < rows; ++r) {
            if (r > 0) top += column.heights[r - 1] + kRowGap + std::min(kRoomForSlant * aside[r], kMostRoomForSlant);
            column.tops.push_back(top);
        }
    }

    void placeBoxes() {
        double left = 0;
        if (fold_ == Fold::halves) {
            for (const Index half : {Index{0}, Index{1}}) {
                for (FoldedColumn& column : columns_) left = place(column, half, left) + kBetweenColumns;
                left += kGutter - kBetweenColumns;
            }
        } else {
            for (FoldedColumn& column : columns_) {
                const double right = place(column, 0, left);
                if (fold_ == Fold::ladder && graph_.isLadder()) layout_.gutters.push_back(right);
                left = place(column, 1, graph_.isLadder() ? right + kGutter : right) + kBetweenColumns;
            }
        }
        lowerPorts();
    }

    /// Returns the right border.
    double place(FoldedColumn& column, Index half, double left) {
        // Below the upper border of the frame of a module, which the ports in the first row keep free.
        const double top = fold_ == Fold::halves && column.first > 0 ? kRowGap + 1 : 0;
        Piece& piece = column.halves[half];
        for (double& x : piece.x) x += left;
        if (half == 0)
            for (double& y : column.tops) y += top;
        const std::vector<int> row = piece.layers.rowOfEach();
        for (Index v = 0; v < piece.boxes.size(); ++v) {
            const auto r = static_cast<Index>(row[v]);
            QRectF& box = layout_.boxes[static_cast<Index>(piece.boxes[v])];
            box.setSize(sizeOf(piece.boxes[v]));
            box.moveCenter({piece.x[v], column.tops[r] + column.heights[r] / 2});
        }
        return left + piece.width;
    }

    /// Those in the last row are on the lower border of the module, however long the last column is.
    void lowerPorts() {
        if (columns_.size() < 2) return;
        double bottom = 0;
        for (const FoldedColumn& column : columns_)
            bottom = std::max(bottom, column.tops.back() + column.heights.back());
        for (Index i = 0; i < graph_.nodes.size(); ++i)
            if (graph_.nodes[i].kind == DrawnNode::Kind::port && plan_.rows[i] > 0)
                layout_.boxes[i].moveTop(bottom + kRowGap);
    }

    void drawEdges(const FoldedColumn& column, const Piece& piece) {
        const std::vector<int> row = piece.layers.rowOfEach();
        for (const Piece::Way& way : piece.ways) {
            const DrawnEdge& edge = graph_.edges[static_cast<Index>(way.edge)];
            const bool down = rowOf(edge.from) < rowOf(edge.to);
            Curve curve = beginning(down ? edge.from : edge.to, column);
            for (int bend = way.bends; bend < way.bends + way.count; ++bend) {
                const auto v = static_cast<Index>(bend), r = static_cast<Index>(row[v]);
                curve.bendTo({piece.x[v], column.tops[r]});
                curve.lineTo({piece.x[v], column.tops[r] + column.heights[r]});
            }
            end(curve, down ? edge.to : edge.from, column);
            layout_.edges[static_cast<Index>(way.edge)].path = curve.path(!down);
        }
    }

    /// Control points of an edge from its upper to its lower end.
    class Curve {
    public:
        explicit Curve(QPointF start) : points_{start} {}
        void lineTo(QPointF to) {
            if (to.y() - points_.back().y() < 1) return;
            const QPointF from = points_.back();
            if (straight_) {
                points_.resize(points_.size() - 3);
                return straightFrom(points_.back(), to);
            }
            straightFrom(from, to);
        }
        /// Upright at both ends.
        void bendTo(QPointF to) {
            constexpr double upright = 0.5;
            const QPointF from = points_.back();
            if (std::abs(from.x() - to.x()) < upright) return lineTo({from.x(), to.y()});
            const double bend = (to.y() - from.y()) / 2;
            points_.insert(points_.end(), {from + QPointF(0, bend), to - QPointF(0, bend), to});
            straight_ = false;
        }
        QPointF last() const { return points_.back(); }
        QPainterPath path(bool upward) {
            if (upward) std::reverse(points_.begin(), points_.end());
            QPainterPath path(points_.front());
            for (Index i = 1; i + 2 < points_.size(); i += 3) path.cubicTo(points_[i], points_[i + 1], points_[i + 2]);
            return path;
        }

    private:
        void straightFrom(QPointF from, QPointF to) {
            points_.insert(points_.end(), {from + (to - from) / 3, from + (to - from) * 2 / 3, to});
            straight_ = true;
        }
        std::vector<QPointF> points_;
        bool straight_ = false;  ///< the last piece
    };

    /// Out of the row, past higher boxes.
    Curve beginning(int box, const FoldedColumn& column) const {
        const QRectF& from = layout_.boxes[static_cast<Index>(box)];
        const auto r = static_cast<Index>(rowOf(box) - column.first);
        Curve curve({from.center().x(), from.bottom()});
        curve.lineTo({from.center().x(), column.tops[r] + column.heights[r]});
        return curve;
    }

    void end(Curve& curve, int box, const FoldedColumn& column) const {
        const QRectF& to = layout_.boxes[static_cast<Index>(box)];
        const auto r = static_cast<Index>(rowOf(box) - column.first);
        const double x = to.center().x();
        curve.bendTo({x, std::min(column.tops[r], to.top())});
        curve.lineTo({curve.last().x(), to.top()});
    }

    const DrawnGraph& graph_;
    LayoutPlan& plan_;
    const Fold fold_;
    const std::atomic<bool>& cancelled_;
    std::vector<int> columnOfRow_;
    std::vector<FoldedColumn> columns_;
    GraphLayout layout_;
};

}  // namespace

GraphLayout layeredLayout(const DrawnGraph& graph, LayoutPlan& plan, Fold fold, const std::atomic<bool>& cancelled) {
    return LayeredDrawing(graph, plan, fold, cancelled).run();
}

}  // namespace aotscope
