#include "window/main_tool_bar.h"

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
      badge_(new CheckBadge(this)) {
    setObjectName(QStringLiteral("mainToolBar"));
    setMovable(false);
    toggleViewAction()->setVisible(false);  // contains search and options
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    const int icon = style()->pixelMetric(QStyle::PM_SmallIconSize);
    setIconSize({icon, icon});
    open_->setObjectName(QStringLiteral("openButton"));
    open_->setIcon(toolIcon(ToolIcon::open));
    open_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    open_->setPopupMode(QToolButton::InstantPopup);
    open_->setAutoRaise(true);
    compile_->setObjectName(QStringLiteral("compile"));
    compile_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    compile_->setToolTip(tr("Compilation of the log that is shown (keys [ and ])"));
    connect(compile_, &QComboBox::currentTextChanged, this, &MainToolBar::compilationChosen);
    connect(badge_, &QToolButton::clicked, this, &MainToolBar::checkDetailsAsked);
    setModel({}, {});
}

void MainToolBar::fill(const Tools& tools) {
    open_->setMenu(tools.open);
    addWidget(open_);
    auto* label = new QLabel(QStringLiteral("  ") + tr("Compilation") + QStringLiteral(" "), this);
    label->setBuddy(compile_);
    compileActions_ = {addWidget(label), addWidget(compile_)};
    for (QAction* action : compileActions_) action->setVisible(false);
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

void MainToolBar::stepCompilation(int by) {
    const int next = compile_->currentIndex() + by;
    if (next >= 0 && next < compile_->count()) compile_->setCurrentIndex(next);
}

}  // namespace aotscope
