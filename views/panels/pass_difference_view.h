#pragma once

#include "canvas/layout/layout_job.h"
#include "canvas/view/graph_view.h"
#include "panels/difference_text.h"
#include "panels/pass_slider.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QStackedWidget>

namespace aotscope {

/// The difference of two graphs of a run, chosen on a slider with two handles: shown as a graph and as two texts
/// side by side.
class PassDifferenceView : public QWidget {
    Q_OBJECT

public:
    explicit PassDifferenceView(QWidget* parent = nullptr);

    void setStops(const QStringList& titles);
    void setRange(int from, int to);
    PassSlider* slider() const { return slider_; }
    GraphView* canvas() const { return canvas_; }
    DifferenceText* text() const { return text_; }
    const DifferenceTextModel& model() const { return text_->model(); }

    /// Shows that a difference is being computed.
    void wait();
    /// `drawn` with its groups; `state`: which of them are closed.
    void showDifference(const std::shared_ptr<const DifferenceLines>& lines, std::shared_ptr<const DrawnGraph> drawn,
                        const ViewState& state);
    void showText(bool text);
    bool layoutRunning() const { return job_.running(); }

    /// Marks a node of the later graph (a ghost: of the earlier one), without emitting nodeSelected.
    void select(NodeId node);

Q_SIGNALS:
    void rangeChanged(int from, int to);
    /// A node of the later graph, or a ghost.
    void nodeSelected(aotscope::NodeId node);
    void closeRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitLegend();
    void choose(int from, int to);
    void chooseRow(int row);
    void addControls(QLayout* layout);
    void layOut(const ViewState& state, const QString& anchor);
    void showLayout(const std::shared_ptr<const DrawnGraph>& seen, const std::shared_ptr<const GraphLayout>& places);

    LayoutJob job_;
    PassSlider* slider_;
    QComboBox *from_, *to_;
    QLabel* summary_;
    QButtonGroup* modes_;
    QCheckBox* only_;
    QStackedWidget* pages_;
    GraphView* canvas_;
    DifferenceText* text_;

    std::shared_ptr<const DrawnGraph> whole_;
    ViewState state_;
    QString anchor_;      ///< the group that was opened or closed
    bool fresh_ = false;  ///< nothing of this difference was shown yet
    NodeId selected_ = kNoNode;
};

}  // namespace aotscope
