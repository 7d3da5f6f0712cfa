#pragma once

#include "models/why_story.h"

#include <QTextBrowser>
#include <QToolButton>
#include <QWidget>

namespace aotscope {

/// Why the selected value is saved, recomputed or neither, and what the other choice would cost.
class WhyPanel : public QWidget {
    Q_OBJECT

public:
    explicit WhyPanel(QWidget* parent = nullptr);

    void showStory(const WhyStory& story);
    /// What saving or recomputing the shown value would change, each a sentence; the partitions are still being
    /// computed if it is empty.
    void setAlternatives(const QStringList& sentences);
    /// Only a sentence.
    void showMessage(const QString& text);
    QString text() const { return browser_->toPlainText(); }
    void copy() const;

Q_SIGNALS:
    void nodeSelected(aotscope::NodeId node);

private:
    void write();

    WhyStory story_;
    QStringList alternatives_;
    QTextBrowser* browser_;
    QToolButton* copy_;
};

}  // namespace aotscope
