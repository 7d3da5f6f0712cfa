#include "window/cheat_sheet.h"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QVBoxLayout>

namespace aotscope {

namespace {

struct Row {
    QString menu, keys, text, tip;
};

/// Keys and gestures of the views, which are no actions.
std::vector<Row> gestures() {
    const QString canvas = QObject::tr("On the canvas");
    return {
        {canvas, QObject::tr("Arrows"), QObject::tr("Walk along edges"), {}},
        {canvas, QObject::tr("Ctrl+wheel, +, -"), QObject::tr("Zoom"), {}},
        {canvas, QObject::tr("Ctrl+click"), QObject::tr("Add a node to the selection, or remove it"), {}},
        {canvas, QObject::tr("Esc"), QObject::tr("Clear the selection"), {}},
        {QObject::tr("In the pass list"), QObject::tr("Up, Down"), QObject::tr("Step through the passes"), {}},
        {QObject::tr("In the search"), QObject::tr("Enter, Shift+Enter"), QObject::tr("Next and previous hit"), {}},
        {QObject::tr("On the difference slider"),
         QObject::tr("Left, Right; with Shift"),
         QObject::tr("Move the later end; the earlier end"),
         {}},
    };
}

QString table(const std::vector<Row>& rows) {
    QString html, menu;
    for (const Row& row : rows) {
        if (row.menu != menu)
            html += QStringLiteral("<tr><td colspan=2 style='padding-top:10px'><b>%1</b></td></tr>")
                        .arg(row.menu.toHtmlEscaped());
        menu = row.menu;
        html += QStringLiteral("<tr><td style='padding-right:18px'>%1</td><td>%2%3</td></tr>")
                    .arg(row.keys.toHtmlEscaped(), row.text.toHtmlEscaped(),
                         row.tip.isEmpty() ? QString()
                                           : QString(QStringLiteral("<span style='color:gray'>: ") +
                                                     row.tip.toHtmlEscaped() + QStringLiteral("</span>")));
    }
    return QStringLiteral("<table cellspacing=2>") + html + QStringLiteral("</table>");
}

}  // namespace

CheatSheet::CheatSheet(std::vector<NamedAction> actions, QWidget* parent)
    : QDialog(parent), actions_(std::move(actions)), browser_(new QTextBrowser(this)) {
    setObjectName(QStringLiteral("cheatSheet"));
    setWindowTitle(tr("Keyboard"));
    auto* edit = new QLineEdit(this);
    edit->setPlaceholderText(tr("Filter"));
    edit->setAccessibleName(tr("Filter the keys"));
    edit->setClearButtonEnabled(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(edit);
    layout->addWidget(browser_, 1);
    layout->addWidget(buttons);
    connect(edit, &QLineEdit::textChanged, this, &CheatSheet::filter);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    filter({});
    resize(560, 680);
}

void CheatSheet::filter(const QString& text) {
    std::vector<Row> rows = gestures();
    for (const NamedAction& named : actions_)
        if (const QString keys = named.keys(); !keys.isEmpty())
            rows.push_back({named.menu, keys, named.text, named.action->statusTip()});
    std::erase_if(rows, [&](const Row& row) {
        const QString all = row.menu + u' ' + row.keys + u' ' + row.text;
        return !all.contains(text, Qt::CaseInsensitive);
    });
    browser_->setHtml(table(rows));
}

}  // namespace aotscope
