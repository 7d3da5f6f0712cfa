#pragma once

#include "record/results/minify_result.h"

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>

namespace aotscope {

/// Asks for the fault that a graph must keep while it is reduced; then shows the result.
class MinifyDialog : public QDialog {
    Q_OBJECT

public:
    /// `kinds`: the graphs to choose from.
    explicit MinifyDialog(const std::vector<GraphKind>& kinds, QWidget* parent = nullptr);

    QComboBox* condition() const { return condition_; }
    QComboBox* graph() const { return graph_; }
    QPushButton* startButton() const { return start_; }
    QPushButton* saveButton() const { return save_; }
    QString text() const { return text_->toPlainText(); }
    QString message() const { return message_->text(); }
    bool running() const { return running_; }

    void setRunning(bool running);
    void setStage(const QString& stage) { message_->setText(stage); }
    void setProblem(const QString& sentence) { message_->setText(sentence); }
    /// A table of sizes, and the graph.
    void setResult(const QString& text);

Q_SIGNALS:
    void startRequested(const aotscope::MinifyOptions& wanted);
    void cancelRequested();
    void saveRequested();

private:
    void startOrStop();

    std::vector<GraphKind> kinds_;
    QComboBox *condition_, *graph_;
    QLabel* message_;
    QPlainTextEdit* text_;
    QPushButton *start_, *save_;
    bool running_ = false;
};

}  // namespace aotscope
