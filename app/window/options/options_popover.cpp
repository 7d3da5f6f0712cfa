#include "window/options/options_popover.h"

#include "controllers/make_action.h"
#include "models/words/option_words.h"
#include "models/words/to_qstring.h"
#include "record/model_kind.h"
#include "record/options/option_values.h"
#include "support/error.h"
#include "window/options/compiler_controls.h"
#include "window/options/tool_icons.h"

#include <QApplication>
#include <QCheckBox>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QStatusBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace aotscope {

namespace {

/// The subject of the options below a heading.
QString helpOf(std::string_view group) {
    if (group == "Model") return QObject::tr("What is opened, on which device, and as what");
    if (group == "Tracing") return QObject::tr("How the program becomes a joint graph: decompositions, dynamic shapes");
    if (group == "Partition") return QObject::tr("How the joint graph is split into forward and backward");
    if (group == "Compilers") return QObject::tr("What makes the graphs executable: one for each kind of graph");
    return QObject::tr("What is verified while a run is made");
}

/// The part of a control that gets the focus: itself, or the first of its fields.
QWidget* fieldOf(QWidget* widget) {
    if (widget->focusPolicy() != Qt::NoFocus) return widget;
    for (QWidget* field : widget->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (field->focusPolicy() != Qt::NoFocus) return field;
    return widget;
}

}  // namespace

OptionsPopover::OptionsPopover(const std::shared_ptr<const Engine>& engine, QMainWindow* window)
    : QFrame(window),
      window_(window),
      action_(makeToggle(this, QStringLiteral("actionOptions"), tr("&Options…"), {tr("Ctrl+Shift+O")},
                         tr("Shows all options of a run; what is changed compiles the model again"),
                         [this](bool open) { toggle(open); })),
      scroll_(new QScrollArea(this)),
      form_(new QFormLayout),
      commands_(new QHBoxLayout) {
    setObjectName(QStringLiteral("options"));
    setAccessibleName(tr("Options"));
    setFrameStyle(QFrame::StyledPanel | QFrame::Raised);
    setAutoFillBackground(true);
    hide();
    action_->setIcon(toolIcon(ToolIcon::options));
    action_->setIconText(tr("Options"));
    buildFrame();
    buildRows(engine);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { followFocus(now); });
    show(Options());
}

/// A title with Reset All and Close, the options, and below them further commands.
void OptionsPopover::buildFrame() {
    auto* title = new QLabel(tr("Options"), this);
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    auto* resetting = new QPushButton(tr("Reset All"), this);
    resetting->setToolTip(tr("Sets every option to its default"));
    connect(resetting, &QPushButton::clicked, this, &OptionsPopover::resetAll);
    auto* closing = new QToolButton(this);
    closing->setObjectName(QStringLiteral("closeOptions"));
    closing->setText(QStringLiteral("×"));
    closing->setToolTip(tr("Close (Esc)"));
    closing->setAccessibleName(tr("Close"));
    closing->setAutoRaise(true);
    connect(closing, &QToolButton::clicked, this, [this] { action_->setChecked(false); });
    auto* head = new QHBoxLayout;
    head->addWidget(title, 1);
    head->addWidget(resetting);
    head->addWidget(closing);

    auto* content = new QWidget(scroll_);
    content->setLayout(form_);
    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    scroll_->setWidget(content);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    commands_->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(head);
    layout->addWidget(scroll_, 1);
    layout->addLayout(commands_);
}

/// Every option of the table with a label, below the heading of its group.
void OptionsPopover::buildRows(const std::shared_ptr<const Engine>& engine) {
    constexpr int aboveHeading = 10;
    QWidget* content = scroll_->widget();
    std::string_view group;
    for (const OptionEntry& entry : optionTable()) {
        if (entry.label.empty()) continue;
        if (std::exchange(group, entry.group) != entry.group) {
            auto* heading = new QLabel(toQString(entry.group), content);
            QFont bold = heading->font();
            bold.setBold(true);
            heading->setFont(bold);
            heading->setToolTip(helpOf(group));
            if (!controls_.empty()) heading->setContentsMargins(0, aboveHeading, 0, 0);
            form_->addRow(heading);
        }
        OptionControl* control = makeOptionControl(entry, engine, content);
        QWidget* widget = control->widget();
        if (qobject_cast<QCheckBox*>(widget)) form_->addRow(widget);
        else form_->addRow(toQString(entry.label), widget);
        connectControl(control);
        controls_.push_back(control);
        if (auto* partition = qobject_cast<PartitionControl*>(control)) partition_ = partition;
    }
}

void OptionsPopover::connectControl(OptionControl* control) {
    connect(control, &OptionControl::changed, this, [this, control] {
        Options options;
        writeTo(options);
        show(options);
        Q_EMIT changed({&control->entry()});
    });
    connect(control, &OptionControl::fileWanted, this, [this, control] { Q_EMIT fileWanted(control->entry()); });
    if (auto* compiler = qobject_cast<CompilerControl*>(control))
        connect(compiler, &CompilerControl::pluginTaken, this, &OptionsPopover::pluginTaken);
    if (auto* decompositions = qobject_cast<DecompositionControl*>(control))
        connect(decompositions, &DecompositionControl::editorWanted, this, &OptionsPopover::decompositionEditorWanted);
}

OptionControl* OptionsPopover::control(const OptionEntry& entry) const {
    const auto found = std::ranges::find(controls_, &entry, [](const auto* each) { return &each->entry(); });
    check(found != controls_.end(), "the window's options are those with a label");
    return *found;
}

// --- what is chosen ---

void OptionsPopover::writeTo(Options& options) const {
    for (const OptionControl* each : controls_) each->writeTo(options);
}

void OptionsPopover::show(const Options& options) {
    for (OptionControl* each : controls_) each->show(options);
    refuseWhatDoesNotApply();
    Q_EMIT shown();
}

void OptionsPopover::adaptTo(const Options& options, const QString& whyNotCompiled, bool runs) {
    model_ = toQString(options.model);
    whyNotCompiled_ = whyNotCompiled;
    runs_ = runs;
    const bool saved = namesSessionFile(options.model);
    partition_->setOwnPartition(whyNotCompiled.isEmpty() ? QString() : saved ? tr("as saved") : tr("as printed"));
    show(options);
}

std::vector<ChosenOption> OptionsPopover::chosen() const {
    Options options;
    writeTo(options);
    std::vector<ChosenOption> list;
    for (const OptionControl* each : controls_) {
        const OptionEntry& entry = each->entry();
        const bool own = entry.scope == OptionScope::partition && partition_->isOwn();
        if (!own && !isDefault(entry, options))
            list.push_back({&entry, chosenOptionWords(entry, options), !isFixed(entry)});
    }
    return list;
}

void OptionsPopover::set(const OptionEntry& entry, const QString& text) {
    Options options;
    writeTo(options);
    setOptionText(entry, options, text.toStdString());
    show(options);
    Q_EMIT changed({&entry});
}

void OptionsPopover::give(const OptionEntry& entry, const QString& text) {
    if (control(entry)->widget()->isEnabled()) set(entry, text);
    else openAt(entry);
}

void OptionsPopover::reset(const OptionEntry& entry) {
    Options options;
    writeTo(options);
    setDefault(entry, options);
    show(options);
    Q_EMIT changed({&entry});
}

void OptionsPopover::resetAll() {
    Options options;
    writeTo(options);
    std::vector<const OptionEntry*> entries;
    for (const ChosenOption& each : chosen())
        if (each.removable) {
            setDefault(*each.entry, options);
            entries.push_back(each.entry);
        }
    if (entries.empty()) return;
    show(options);
    Q_EMIT changed(entries);
}

/// Whether the graphs of the open file are fixed, whatever the option says.
bool OptionsPopover::isFixed(const OptionEntry& entry) const {
    return entry.scope == OptionScope::model && !whyNotCompiled_.isEmpty() && !(runs_ && entry.ofExecution);
}

/// Reasons of the open file come first, then those of other options.
QString OptionsPopover::whyNot(const OptionEntry& entry, const Options& options) const {
    if (isFixed(entry)) return whyNotCompiled_;
    if (entry.scope == OptionScope::partition && partition_->isOwn())
        return entry.name() == "--partition" ? QString() : tr("the partition is the one of the file");
    return entry.needs ? toQString(entry.needs(options)) : QString();
}

void OptionsPopover::refuseWhatDoesNotApply() {
    Options options;
    options.model = model_.toStdString();
    writeTo(options);
    if (partition_->hasOwn()) options.inference = false;  // said of models; a file with graphs has a backward, or none
    for (OptionControl* each : controls_) {
        each->setRefusal(whyNot(each->entry(), options));
        QWidget* label = form_->labelForField(each->widget());
        if (!label) continue;
        label->setEnabled(each->widget()->isEnabled());
        label->setToolTip(each->widget()->toolTip());
    }
}

// --- the panel ---

void OptionsPopover::openAt(const OptionEntry& entry) {
    action_->setChecked(true);
    QWidget* field = fieldOf(control(entry)->widget());
    if (field->isEnabled()) field->setFocus(Qt::OtherFocusReason);
    scroll_->ensureWidgetVisible(field);
}

void OptionsPopover::addCommand(QAction* action) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    // Created after the options: Tab would otherwise leave the panel too early.
    setTabOrder(findChild<QToolButton*>(QStringLiteral("closeOptions")), button);
    commands_->insertWidget(commands_->count() - 1, button);
}

void OptionsPopover::toggle(bool open) {
    if (open) {
        before_ = QApplication::focusWidget();
        place();
        window_->installEventFilter(this);
        window_->centralWidget()->installEventFilter(this);
        QFrame::show();
        raise();
        const auto first = std::ranges::find_if(controls_, [](auto* each) { return each->widget()->isEnabled(); });
        if (first == controls_.end()) return;
        QWidget* field = fieldOf((*first)->widget());
        field->setFocus(Qt::OtherFocusReason);
        scroll_->ensureWidgetVisible(field);
        return;
    }
    window_->removeEventFilter(this);
    window_->centralWidget()->removeEventFilter(this);
    const bool hadFocus = isAncestorOf(QApplication::focusWidget());
    hide();
    if (hadFocus && before_) before_->setFocus(Qt::OtherFocusReason);
}

/// Below the toolbars, at the right, as high as possible.
void OptionsPopover::place() {
    constexpr int least = 440;
    const int top = window_->centralWidget()->geometry().top(), bottom = window_->statusBar()->geometry().top();
    const int bar = scroll_->verticalScrollBar()->sizeHint().width();
    const int needed = scroll_->widget()->sizeHint().height() + sizeHint().height() - scroll_->sizeHint().height();
    const int width =
        std::min(std::max(least, scroll_->widget()->minimumSizeHint().width() + bar + 30), window_->width());
    setGeometry(window_->width() - width, top, width, std::max(0, std::min(needed, bottom - top)));
}

void OptionsPopover::followFocus(const QWidget* now) {
    if (isHidden() || !now || now->window() != window_ || now == this || isAncestorOf(now)) return;
    action_->setChecked(false);
}

bool OptionsPopover::eventFilter(QObject* watched, QEvent* event) {
    const bool moved = event->type() == QEvent::Resize || event->type() == QEvent::Move;
    if (moved) place();
    return QFrame::eventFilter(watched, event);
}

void OptionsPopover::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return action_->setChecked(false);
    QFrame::keyPressEvent(event);
}

}  // namespace aotscope
