#include "panels/scratch_panel.h"

#include "load/torchscript/script_presets.h"
#include "models/words/to_qstring.h"
#include "panels/fixed_font.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QScrollArea>
#include <QTextBlock>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace aotscope {

namespace {

constexpr int kPauseMs = 400;

QLabel* wrappedLabel(const QString& name, QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setWordWrap(true);
    return label;
}

}  // namespace

ScratchPanel::ScratchPanel(QWidget* parent)
    : QWidget(parent),
      presets_(new QComboBox(this)),
      help_(wrappedLabel(QStringLiteral("scratchHelp"), this)),
      code_(new QPlainTextEdit(this)),
      inputs_(new QLineEdit(this)),
      message_(wrappedLabel(QStringLiteral("scratchMessage"), this)) {
    setObjectName(QStringLiteral("scratch"));
    makeCode();
    inputs_->setObjectName(QStringLiteral("scratchInputs"));
    inputs_->setAccessibleName(tr("Inputs"));
    inputs_->setPlaceholderText(tr("f32[4, 5] grad for each parameter"));
    inputs_->setToolTip(
        tr("One for each parameter: f32[4, 5] grad, i64[3] = randint(0, 10), 2, or a view of an earlier "
           "one: x: f32[24], x.view([4, 6])"));
    // In a low window, the content scrolls.
    auto* content = new QWidget(this);
    auto* area = new QScrollArea(this);
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(area);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(4);
    layout->addLayout(makeTop());
    layout->addWidget(help_);
    layout->addWidget(code_, 1);
    auto* form = new QFormLayout;
    form->addRow(tr("&Inputs"), inputs_);
    layout->addLayout(form);
    layout->addWidget(message_);
    pause_.setSingleShot(true);
    connect(&pause_, &QTimer::timeout, this, &ScratchPanel::edited);
    for (const ScriptPreset& preset : scriptPresets()) presets_->addItem(toQString(preset.name));
    takePreset(0);
    pause_.stop();
    connect(presets_, &QComboBox::activated, this, &ScratchPanel::takePreset);
    connect(code_, &QPlainTextEdit::textChanged, this, [this] { pause_.start(kPauseMs); });
    connect(code_, &QPlainTextEdit::cursorPositionChanged, this, &ScratchPanel::noticeLine);
    connect(inputs_, &QLineEdit::textChanged, this, [this] { pause_.start(kPauseMs); });
}

QLayout* ScratchPanel::makeTop() {
    presets_->setObjectName(QStringLiteral("scratchPresets"));
    presets_->setAccessibleName(tr("Examples"));
    presets_->setPlaceholderText(tr("Examples"));
    presets_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    presets_->setMinimumContentsLength(12);
    presets_->setToolTip(tr("Programs that each show one thing that AOTAutograd does"));
    auto* save = new QToolButton(this);
    save->setObjectName(QStringLiteral("scratchSave"));
    save->setText(tr("Save…"));
    save->setToolTip(tr("Saves the program as a TorchScript module (.pt) or as its text (.py)"));
    connect(save, &QToolButton::clicked, this, &ScratchPanel::saveRequested);
    auto* top = new QHBoxLayout;
    top->addWidget(presets_, 1);
    top->addWidget(save);
    return top;
}

void ScratchPanel::makeCode() {
    code_->setObjectName(QStringLiteral("scratchCode"));
    code_->setAccessibleName(tr("Code"));
    code_->setFont(fixedFont());
    code_->setLineWrapMode(QPlainTextEdit::NoWrap);
    code_->setTabChangesFocus(true);
    code_->setToolTip(tr("TorchScript functions; the last one is compiled"));
    code_->installEventFilter(this);
    code_->viewport()->installEventFilter(this);
}

/// Over the marked line, says what is wrong with it. A new line is indented like the one above it, and further after a
/// colon.
bool ScratchPanel::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::ToolTip && object == code_->viewport() && marked_ > 0) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (code_->cursorForPosition(help->pos()).blockNumber() + 1 == marked_) {
            QToolTip::showText(help->globalPos(), message(), code_);
            return true;
        }
    }
    const auto* key = event->type() == QEvent::KeyPress ? static_cast<QKeyEvent*>(event) : nullptr;
    if (!key || (key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter))
        return QWidget::eventFilter(object, event);
    const QTextCursor cursor = code_->textCursor();
    const QString line = cursor.block().text().left(cursor.positionInBlock());
    const auto text = std::ranges::find_if_not(line, [](QChar c) { return c.isSpace(); });
    QString next = u'\n' + line.left(text - line.begin());
    if (line.trimmed().endsWith(u':')) next += QStringLiteral("    ");
    code_->insertPlainText(next);
    code_->ensureCursorVisible();
    return true;
}

void ScratchPanel::takePreset(int index) {
    const ScriptPreset& preset = scriptPresets()[static_cast<std::size_t>(index)];
    setProgram(toQString(preset.code).trimmed(), toQString(preset.inputs));
    pause_.start(0);
}

void ScratchPanel::setProgram(const QString& code, const QString& inputs) {
    QTextCursor all(code_->document());
    all.select(QTextCursor::Document);
    all.insertText(code);
    inputs_->setText(inputs);
    inputs_->setCursorPosition(0);
    const auto& examples = scriptPresets();
    const auto same = std::ranges::find_if(
        examples, [&](const ScriptPreset& preset) { return toQString(preset.code).trimmed() == code; });
    const bool known = same != examples.end();
    presets_->setCurrentIndex(known ? static_cast<int>(same - examples.begin()) : -1);
    help_->setText(known ? toQString(same->help) : QString());
    help_->setVisible(known);
    pause_.stop();
}

void ScratchPanel::setResult(const QString& sentence) {
    mark(0);
    message_->setText(sentence);
}

void ScratchPanel::setProblem(const QString& sentence, int line) {
    mark(line);
    message_->setText(sentence);
}

/// While the user types, the cursor moves with the text.
void ScratchPanel::noticeLine() {
    const int line = code_->textCursor().blockNumber() + 1, revision = code_->document()->revision();
    const bool typed = std::exchange(revision_, revision) != revision, another = std::exchange(line_, line) != line;
    if (!typed && another && code_->hasFocus()) Q_EMIT lineEntered(line);
}

void ScratchPanel::setLitLine(int line) {
    if (std::exchange(lit_, line) != line) showLines();
}

void ScratchPanel::mark(int line) {
    marked_ = line;
    showLines();
}

void ScratchPanel::showLines() {
    constexpr float faint = 0.2F;
    QList<QTextEdit::ExtraSelection> marks;
    const auto add = [&](int line, QColor colour) -> QTextCharFormat* {
        const QTextBlock block = code_->document()->findBlockByNumber(line - 1);
        if (line <= 0 || !block.isValid()) return nullptr;
        colour.setAlphaF(faint);
        QTextEdit::ExtraSelection selection;
        selection.cursor = QTextCursor(block);
        selection.cursor.select(QTextCursor::LineUnderCursor);
        selection.format.setProperty(QTextFormat::FullWidthSelection, true);
        selection.format.setBackground(colour);
        marks << selection;
        return &marks.back().format;
    };
    add(lit_, palette().color(QPalette::Highlight));
    if (QTextCharFormat* wrong = add(marked_, Qt::red)) {
        wrong->setUnderlineStyle(QTextCharFormat::WaveUnderline);
        wrong->setUnderlineColor(Qt::red);
    }
    code_->setExtraSelections(marks);
}

}  // namespace aotscope
