#include "window/model_tabs.h"

#include "controllers/make_action.h"
#include "record/options/remote_model.h"

#include <QMenu>
#include <QSignalBlocker>

namespace aotscope {

ModelTabs::ModelTabs(Workbench& bench, const Controllers& controllers, SessionHandover* handover)
    : QToolBar(tr("Models"), bench.window),
      bench_(bench),
      all_(controllers),
      handover_(handover),
      tabs_(new QTabBar(this)) {
    setObjectName(QStringLiteral("modelTabs"));
    setMovable(false);
    toggleViewAction()->setVisible(false);
    tabs_->setObjectName(QStringLiteral("models"));
    tabs_->setAccessibleName(tr("Open models"));
    tabs_->setDocumentMode(true);
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    tabs_->setTabsClosable(true);
    tabs_->setElideMode(Qt::ElideMiddle);
    tabs_->setUsesScrollButtons(true);
    tabs_->setContextMenuPolicy(Qt::CustomContextMenu);
    addWidget(tabs_);
    commands_ = {
        makeAction(this, QStringLiteral("actionCloseModel"), tr("C&lose Model"), {tr("Ctrl+W")},
                   tr("Closes this model, and shows another open one"), [this] { askToClose(tabs_->currentIndex()); }),
        makeAction(this, QStringLiteral("actionNextModel"), tr("Next &Model"), {tr("Ctrl+Tab")},
                   tr("Shows the next open model, as it was left"), [this] { step(1); }),
        makeAction(this, QStringLiteral("actionPreviousModel"), tr("Previous M&odel"), {tr("Ctrl+Shift+Tab")},
                   tr("Shows the previous open model, as it was left"), [this] { step(-1); })};
    connect(tabs_, &QTabBar::currentChanged, this, &ModelTabs::show);
    connect(tabs_, &QTabBar::tabCloseRequested, this, &ModelTabs::askToClose);
    connect(tabs_, &QTabBar::customContextMenuRequested, this, &ModelTabs::showMenu);
    connect(handover_->file(), &SessionController::modifiedChanged, this, &ModelTabs::refresh);
    connect(handover_->guard(), &CloseGuard::modelAsked, this, &ModelTabs::showModel);
    refresh();
}

void ModelTabs::refresh() {
    const QSignalBlocker silent(tabs_);
    const auto models = bench_.run.runs.models();
    while (tabs_->count() > static_cast<int>(models.size())) tabs_->removeTab(tabs_->count() - 1);
    while (tabs_->count() < static_cast<int>(models.size())) tabs_->addTab({});
    for (int i = 0; i < tabs_->count(); ++i) {
        const Run& run = *models[static_cast<std::size_t>(i)];
        QString name = run.session ? toQString(run.session->record()->model.name) : run.name();
        if (handover_->file()->isModified(toQString(run.options.model))) name += u'*';
        tabs_->setTabText(i, name.replace(u'&', QStringLiteral("&&")));
        tabs_->setTabToolTip(i, toQString(shownModel(run.options.model)));
        if (&run == bench_.run.runs.shown()) tabs_->setCurrentIndex(i);
    }
    setVisible(models.size() > 1);
    for (QAction* command : commands_) command->setEnabled(models.size() > 1);
}

void ModelTabs::show(int index) {
    const auto models = bench_.run.runs.models();
    if (index < 0 || index >= std::ssize(models)) return;
    all_.runs->showRun(models[static_cast<std::size_t>(index)]);
}

void ModelTabs::showModel(const QString& opened) {
    Options options;
    options.model = opened.toStdString();
    if (const auto run = bench_.run.runs.ofModel(options)) all_.runs->showRun(run);
}

void ModelTabs::step(int by) {
    if (tabs_->count() > 0) tabs_->setCurrentIndex((tabs_->currentIndex() + by + tabs_->count()) % tabs_->count());
}

/// Shows it first: the question is about what one sees.
void ModelTabs::askToClose(int index) {
    if (tabs_->count() < 2 || index < 0) return;
    tabs_->setCurrentIndex(index);
    handover_->guard()->ask(tr("before closing it"), [this] { close(tabs_->currentIndex()); });
}

void ModelTabs::close(int index) {
    const auto models = bench_.run.runs.models();
    const Options closed = models.at(static_cast<std::size_t>(index))->options;
    handover_->file()->discard();
    tabs_->setCurrentIndex(index > 0 ? index - 1 : 1);
    bench_.run.runs.close(closed);
    handover_->close(toQString(closed.model));
    refresh();
}

void ModelTabs::showMenu(const QPoint& place) {
    const int index = tabs_->tabAt(place);
    const auto models = bench_.run.runs.models();
    if (index < 0 || index >= std::ssize(models)) return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto run = models[static_cast<std::size_t>(index)];
    QAction* compare = menu->addAction(tr("Compare the Shown Model With This One"), this, [this, run] {
        all_.compare->compareWithModel(run->session, toQString(run->session->record()->model.name));
    });
    compare->setEnabled(index != tabs_->currentIndex() && run->session);
    menu->addAction(tr("Close"), this, [this, index] { askToClose(index); });
    menu->popup(tabs_->mapToGlobal(place));
}

}  // namespace aotscope
