#include "panels/tables/query_edit.h"

#include "canvas/drawn_graph.h"

#include <QAbstractItemView>
#include <QKeyEvent>

namespace aotscope {

namespace {

bool endsWord(QChar c) { return c.isSpace() || c == u'(' || c == u')'; }

}  // namespace

QueryEdit::QueryEdit(QWidget* parent, const std::vector<QueryWord>& words) : QLineEdit(parent) {
    const auto add = [this](const QString& text, const std::string& help) {
        auto* item = new QStandardItem(text);
        item->setToolTip(toQString(help));
        words_.appendRow(item);
    };
    for (const QueryWord& word : words) {
        add(toQString(word.text), word.help);
        for (const std::string& value : word.values)
            add(toQString(word.text) + toQString(value).replace(u' ', u'-'), word.help);
    }
    completer_.setModel(&words_);
    completer_.setCaseSensitivity(Qt::CaseInsensitive);
    completer_.setWidget(this);
    connect(&completer_, qOverload<const QString&>(&QCompleter::activated), this, &QueryEdit::insert);
    connect(this, &QLineEdit::textEdited, this, &QueryEdit::offer);
    setClearButtonEnabled(true);
}

std::pair<int, QString> QueryEdit::wordAtCursor() const {
    const QString all = text();
    int start = cursorPosition();
    while (start > 0 && !endsWord(all[start - 1])) --start;
    if (start < cursorPosition() && (all[start] == u'-' || all[start] == u'!')) ++start;
    return {start, all.mid(start, cursorPosition() - start)};
}

void QueryEdit::offer() {
    const QString word = wordAtCursor().second;
    completer_.setCompletionPrefix(word);
    const bool complete = completer_.completionCount() == 1 && completer_.currentCompletion() == word;
    if (word.isEmpty() || complete || completer_.completionCount() == 0) return completer_.popup()->hide();
    completer_.popup()->setCurrentIndex({});
    completer_.complete();
}

void QueryEdit::insert(const QString& completion) {
    const auto [start, word] = wordAtCursor();
    setSelection(start, static_cast<int>(word.size()));
    QLineEdit::insert(completion);
    Q_EMIT textEdited(text());
}

void QueryEdit::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            completer_.popup()->hide();
            if (event->modifiers() & Qt::ShiftModifier) Q_EMIT previousRequested();
            else Q_EMIT nextRequested();
            return;
        case Qt::Key_Escape: return closeRequested();
        default: QLineEdit::keyPressEvent(event);
    }
}

}  // namespace aotscope
