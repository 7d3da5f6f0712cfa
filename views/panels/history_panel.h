#pragma once

#include "canvas/theme.h"
#include "models/palette.h"
#include "models/words/pass_titles.h"
#include "record/history/node_history.h"

#include <QLabel>
#include <QTableWidget>
#include <QWidget>

namespace aotscope {

/// The text and colour of a state.
QString meaningOf(HistoryStep::State state);
Meaning colourFor(HistoryStep::State state);
/// With the details: "replaced: conv2d -> convolution".
QString describe(const HistoryStep& step);

/// Follows one node through all graphs of a run: a strip of colours, and a row for each graph.
class HistoryPanel : public QWidget, public Themed {
    Q_OBJECT

public:
    explicit HistoryPanel(QWidget* parent = nullptr);

    void showHistory(const CompileRecord& record, const QString& node, std::vector<HistoryStep> steps);
    void showMessage(const QString& text);
    /// Marks the step whose graph is shown; -1: none.
    void setCurrent(int step);
    void setTheme(const Theme& theme) override;
    const std::vector<HistoryStep>& steps() const { return steps_; }
    QTableWidget* table() const { return table_; }

Q_SIGNALS:
    void stepChosen(int step);

private:
    void colour();

    QLabel* title_;
    QWidget* strip_;
    QTableWidget* table_;
    std::vector<HistoryStep> steps_;
    QStringList titles_;
    int current_ = -1;
    ColourScheme scheme_;
    bool following_ = false;
};

}  // namespace aotscope
