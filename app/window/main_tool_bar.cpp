#include "window/main_tool_bar.h"

#include "canvas/view/text_zoom.h"
#include "window/options/tool_icons.h"

#include <QAction>
#include <QLabel>
#include <QSignalBlocker>
#include <QStyle>

namespace aotscope {

MainToolBar::MainToolBar(QWidget* parent)
    : QToolBar(tr("Toolbar"), parent),
      open_(new QToolButton(this)),
      compile_(new QComboBox(this)),
      runs_(new QToolButton(this)),
      badge_(new CheckBadge(this)) {
    setObjectName(QStringLiteral("mainToolBar"));
    setMovable(false);
    toggleViewAction()->setVisible(false);  // contains search and options
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    fitIcons();
    open_->setObjectName(QStringLiteral("openButton"));
    open_->setIcon(toolIcon(ToolIcon::open));
    open_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    open_->setPopupMode(QToolButton::InstantPopup);
    open_->setAutoRaise(true);
    compile_->setObjectName(QStringLiteral("compile"));
    compile_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    compile_->setToolTip(tr("Compilation of the log that is shown (keys [ and ])"));
    connect(compile_, &QComboBox::currentTextChanged, this, &MainToolBar::compilationChosen);
    runs_->setObjectName(QStringLiteral("runsButton"));
    runs_->setMenu(new QMenu(runs_));
    runs_->setPopupMode(QToolButton::InstantPopup);
    runs_->setAutoRaise(true);
    runs_->setFocusPolicy(Qt::TabFocus);
    runs_->setToolTip(tr("The runs of this model: click to go to another one, with its options and results"));
    connect(badge_, &QToolButton::clicked, this, &MainToolBar::checkDetailsAsked);
    setModel({}, {});
}

/// As high as the text.
void MainToolBar::fitIcons() {
    const int icon = static_cast<int>(style()->pixelMetric(QStyle::PM_SmallIconSize) * usualZoom());
    setIconSize({icon, icon});
}

void MainToolBar::changeEvent(QEvent* event) {
    QToolBar::changeEvent(event);
    if (event->type() == QEvent::FontChange) fitIcons();
}

void MainToolBar::fill(const Tools& tools) {
    open_->setMenu(tools.open);
    addWidget(open_);
    auto* label = new QLabel(QStringLiteral("  ") + tr("Compilation") + QStringLiteral(" "), this);
    label->setBuddy(compile_);
    compileActions_ = {addWidget(label), addWidget(compile_)};
    for (QAction* action : compileActions_) action->setVisible(false);
    runsAction_ = addWidget(runs_);
    runsAction_->setVisible(false);
    addSeparator();
    addSearch(tools.search);
    addSeparator();
    tools.compile->setIcon(toolIcon(ToolIcon::compile));
    tools.check->setIcon(toolIcon(ToolIcon::check));
    tools.time->setIcon(toolIcon(ToolIcon::time));
    tools.debug->setIcon(toolIcon(ToolIcon::debug));
    addTool(tools.compile);
    addTool(tools.check);
    addWidget(badge_);
    addTool(tools.time);
    addTool(tools.debug);
    auto* space = new QWidget(this);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addWidget(space);
    addTool(tools.options);
}

void MainToolBar::addSearch(QLineEdit* line) {
    constexpr int least = 130, most = 420;
    line->setMinimumWidth(least);
    line->setMaximumWidth(most);
    line->addAction(toolIcon(ToolIcon::find), QLineEdit::LeadingPosition);
    addWidget(line);
}

void MainToolBar::addTool(QAction* action) {
    addAction(action);
    widgetForAction(action)->setFocusPolicy(Qt::TabFocus);
}

void MainToolBar::setModel(const QString& name, const QString& path) {
    constexpr int longest = 180;
    const QString text = name.isEmpty() ? tr("Open") : name;
    open_->setText(fontMetrics().elidedText(text, Qt::ElideMiddle, longest).replace(u'&', QStringLiteral("&&")));
    open_->setToolTip(path.isEmpty() ? tr("Open a model, a session or printed graphs")
                                     : tr("%1\nOpen another model, session or printed graphs").arg(path));
    open_->setAccessibleName(name.isEmpty() ? tr("Open") : tr("Open, now %1").arg(name));
}

void MainToolBar::setCompilations(const QStringList& ids, const QString& current) {
    const QSignalBlocker silent(compile_);
    compile_->clear();
    compile_->addItems(ids);
    compile_->setCurrentText(current);
    for (QAction* action : compileActions_) action->setVisible(ids.size() > 1);
}

void MainToolBar::setRuns(const QStringList& runs, int current) {
    runs_->menu()->clear();
    for (int i = 0; i < runs.size(); ++i) {
        QString text = runs[i];
        QAction* run = runs_->menu()->addAction(text.replace(u'&', QStringLiteral("&&")), this,
                                                [this, i] { Q_EMIT runChosen(i); });
        run->setCheckable(true);
        run->setChecked(i == current);
    }
    runs_->setText(tr("Run %1 of %2").arg(current + 1).arg(runs.size()));
    runs_->setAccessibleName(runs_->text());
    if (runsAction_) runsAction_->setVisible(runs.size() > 1);
}

void MainToolBar::stepCompilation(int by) {
    const int next = compile_->currentIndex() + by;
    if (next >= 0 && next < compile_->count()) compile_->setCurrentIndex(next);
}

}  // namespace aotscope
