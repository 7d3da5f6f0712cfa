#pragma once

#include <QListWidget>

namespace aotscope {

/// A list whose entries are chosen by a click, or by Enter or Space.
class ChoiceList : public QListWidget {
    Q_OBJECT

public:
    explicit ChoiceList(QWidget* parent = nullptr);

    /// `choice`: argument of chosen().
    QListWidgetItem* add(const QString& text, const QString& choice, const QString& tip);
    static QString choiceOf(const QListWidgetItem& item) { return item.data(Qt::UserRole).toString(); }
    /// As high as `rows` entries in whatever font, or as all of them if these are fewer.
    void setVisibleRows(int rows);

Q_SIGNALS:
    void chosen(const QString& choice);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    int rows_ = 0;  ///< 0: of any height
};

}  // namespace aotscope
