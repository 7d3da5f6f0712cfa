#pragma once

#include "query/query.h"

#include <QCompleter>
#include <QLineEdit>
#include <QStandardItemModel>

namespace aotscope {

/// A line for a query; offers the words of the language, and the values that may follow a keyword.
class QueryEdit : public QLineEdit {
    Q_OBJECT

public:
    explicit QueryEdit(QWidget* parent = nullptr, const std::vector<QueryWord>& words = queryWords());

    /// Where the word at the cursor begins, and what of it is typed.
    std::pair<int, QString> wordAtCursor() const;

Q_SIGNALS:
    /// Enter, and Shift with Enter.
    void nextRequested();
    void previousRequested();
    void closeRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void offer();
    void insert(const QString& completion);

    QStandardItemModel words_;
    QCompleter completer_;
};

}  // namespace aotscope
