#include "panels/graph/source_view.h"

#include "canvas/drawn_graph.h"
#include "load/sample_texts.h"
#include "panels/fixed_font.h"
#include "support/error.h"
#include "support/file.h"

#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QPushButton>
#include <QTextBlock>
#include <QUrl>
#include <QVBoxLayout>

namespace aotscope {

namespace {

constexpr std::uintmax_t kLargestSource = 8u << 20;

const std::string* sampleText(const QString& file) {
    for (const auto& [name, text] : sampleTexts())
        if (toQString(name) == file) return &text;
    return nullptr;
}

QString textOf(const QString& file) {
    if (const std::string* sample = sampleText(file)) return toQString(*sample);
    try {
        return toQString(readFile(file.toStdString(), kLargestSource));
    } catch (const Error& e) {
        return toQString(e.what());
    }
}

}  // namespace

bool haveSource(const QString& file) { return sampleText(file) || QFileInfo(file).isFile(); }

SourceView::SourceView(const QString& file, int line, QWidget* parent)
    : QDialog(parent), text_(new QPlainTextEdit(this)) {
    setObjectName(QStringLiteral("sourceView"));
    setWindowTitle(tr("%1, line %2").arg(file, QString::number(line)));
    resize(820, 620);
    text_->setReadOnly(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    text_->setFont(fixedFont());
    text_->setAccessibleName(tr("Source of %1").arg(file));
    text_->setPlainText(textOf(file));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* open = buttons->addButton(tr("&Open in Editor"), QDialogButtonBox::ActionRole);
    open->setEnabled(QFileInfo(file).isFile());
    if (!open->isEnabled()) open->setToolTip(tr("'%1' is built into the program (a sample)").arg(file));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(text_);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(open, &QPushButton::clicked, this,
            [file] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(file).absoluteFilePath())); });
    mark(line);
}

void SourceView::mark(int line) {
    const QTextBlock block = text_->document()->findBlockByNumber(line - 1);
    if (!block.isValid()) return;
    QTextEdit::ExtraSelection selection;
    selection.cursor = QTextCursor(block);
    QColor colour = palette().color(QPalette::Highlight);
    colour.setAlpha(80);
    selection.format.setBackground(colour);
    selection.format.setProperty(QTextFormat::FullWidthSelection, true);
    text_->setExtraSelections({selection});
    text_->setTextCursor(selection.cursor);
    text_->centerCursor();
}

}  // namespace aotscope
