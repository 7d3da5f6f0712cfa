#pragma once

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QToolButton>

namespace aotscope {

/// Errors, warnings and notable results, the newest last, with buttons for the whole list.
class ProblemsPanel : public QWidget {
    Q_OBJECT

public:
    enum class Kind { information, warning, error };

    explicit ProblemsPanel(QWidget* parent = nullptr);
    void add(Kind kind, const QString& text);
    void clear();
    int count() const { return list_->count(); }
    /// Errors and warnings among them.
    int problems() const { return problems_; }
    QString lastText() const;
    QListWidget* list() const { return list_; }
    /// For the list; if it is empty, for Close.
    void takeFocus();
    /// A button for a remedy, while it is possible.
    void offer(QAction* action);

Q_SIGNALS:
    void added(aotscope::ProblemsPanel::Kind kind, const QString& text);
    /// Something was added that deserves attention.
    void raised();
    /// count() or problems() has changed.
    void countChanged();
    void closeRequested();

private:
    QHBoxLayout* makeTop();
    /// The selected ones, or all.
    void copy(bool all);
    void showCount();

    QLabel* title_;
    QHBoxLayout* top_;
    QListWidget* list_;
    int problems_ = 0;
};

}  // namespace aotscope
