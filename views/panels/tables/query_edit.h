#pragma once

#include "query/query.h"

#include <QCompleter>
#include <QLineEdit>
#include <QStandardItemModel>

namespace aotscope {

/// A line edit for a query; completes keywords of the language and the values that may follow them.
class QueryEdit : public QLineEdit {
    Q_OBJECT

public:
    explicit QueryEdit(QWidget* parent = nullptr, const std::vector<QueryWord>& words = queryWords());

    /// Where the word at the cursor begins, and its typed part.
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
