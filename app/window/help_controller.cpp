#include "window/help_controller.h"

#include "controllers/make_action.h"
#include "record/options/option_values.h"
#include "support/confinement.h"
#include "window/controllers.h"
#include "window/help/command_palette.h"
#include "window/help/document_dialog.h"

#include <QApplication>
#include <QMenuBar>

namespace aotscope {

namespace {

/// Whether the option's value is of one of these types.
template <typename... Types>
bool holds(const OptionEntry& entry) {
    Options options;
    return entry.field && std::visit([]<typename Value>(const Value*) { return (std::is_same_v<Value, Types> || ...); },
                                     entry.field(options));
}

/// What can be chosen by name.
std::vector<std::string> namedValues(const OptionEntry& entry) {
    return holds<bool>(entry) ? std::vector<std::string>{"on", "off"} : optionChoices(entry);
}

}  // namespace

HelpController::HelpController(Workbench& bench, const Controllers& controllers, Preferences* preferences)
    : QObject(bench.window), bench_(bench), preferences_(preferences), guide_(new Guide(bench, controllers)) {
    const GraphPane* second = controllers.secondary->pane();
    parts_ = {{bench.drawer, "panels-passes.md#problems"},
              {bench.options, "dialogs.md#options"},
              {controllers.navigation->search()->panel()->edit(), "panels-passes.md#search"},
              {bench.toolBar, "dialogs.md#toolbar"},
              {controllers.debug->toolBar(), "dialogs.md#debug-bar"},
              {bench.chips, "dialogs.md#changed-options"},
              {bench.perspectives->bar()->parentWidget(), "window.md#perspectives"},
              {bench.window->statusBar(), "dialogs.md#status-bar"},
              {bench.centre->start(), "dialogs.md#start-page"},
              {second, "panels-graph.md#second-graph"},
              {controllers.navigation->difference()->view(), "panels-graph.md#difference-of-two-passes"},
              {bench.pane()->tabs(), "panels-graph.md#graph-tabs"},
              {bench.pane()->strip(), "panels-graph.md#strip"},
              {bench.pane(), "panels-graph.md#canvas"}};
    connect(bench.centre->start(), &StartPage::manualRequested, this, &HelpController::showManual);
    connect(guide_, &Guide::manualAsked, this, &HelpController::showManual);
    connect(bench.inspector, &InspectorPanel::manualAsked, this, &HelpController::showManual);
}

void HelpController::addActionsTo(QMenu* menu) {
    menu->addAction(makeAction(this, QStringLiteral("actionPalette"), tr("&Commands…"),
                               {QKeySequence(tr("Ctrl+K")), QKeySequence(tr("Ctrl+Shift+P"))},
                               tr("Finds a command by a few letters of its name"), [this] { showPalette(); }));
    menu->addAction(makeAction(this, QStringLiteral("actionManual"), tr("&Manual"),
                               {QKeySequence(QKeySequence::HelpContents)},
                               tr("Opens the manual at the page of the panel with focus"), [this] { showManual({}); }));
    menu->addAction(makeAction(this, QStringLiteral("actionKeys"), tr("&Keyboard"), {Qt::Key_Question},
                               tr("Lists all keys on a page of the manual"),
                               [this] { showManual(QStringLiteral("keys.md")); }));
    menu->addAction(guide_->tourAction());
    menu->addMenu(tr("&Lessons"))->addActions(guide_->lessonActions());
    menu->addAction(makeAction(this, QStringLiteral("actionStart"), tr("&Start Page"), {},
                               tr("Shows samples and recent models"),
                               [this] { bench_.centre->showStart(bench_.settings.recentModels()); }));
    menu->addAction(makeAction(this, QStringLiteral("actionSecurity"), tr("&What Files May Do"), {},
                               tr("Shows what each kind of file may do when opened and run, and how it is confined"),
                               [this] { showSecurity(); }));
    menu->addAction(makeAction(this, QStringLiteral("actionAbout"), tr("&About"), {},
                               tr("Shows versions and third-party software"), [this] { showAbout(); }));
}

void HelpController::showSecurity() {
    const QString title = tr("What Files May Do");
    openDocument({QStringLiteral(":/SECURITY.md"), title}, tr("Here, %1.").arg(toQString(confinementText())),
                 QStringLiteral("securityPage"), title, bench_.window);
}

void HelpController::showAbout() {
    const QString versions =
        tr("aotscope %1\n\nPyTorch's AOTAutograd pipeline in C++, with every step visible.\n\nLibTorch %2, Qt %3\n%4")
            .arg(QStringLiteral(AOTSCOPE_VERSION), toQString(bench_.engine->torchVersion()),
                 QString::fromLatin1(qVersion()), toQString(confinementText()));
    openDocument({QStringLiteral(":/THIRD_PARTY.md"), tr("Third-party software")}, versions,
                 QStringLiteral("aboutDialog"), tr("About aotscope"), bench_.window);
}

std::vector<NamedAction> HelpController::options(QObject* owner) const {
    std::vector<NamedAction> openings;
    for (const OptionEntry& entry : optionTable()) {
        if (entry.label.empty()) continue;
        const auto add = [&](const QString& text, const auto& act) {
            auto* action = new QAction(text, owner);
            action->setObjectName(QLatin1String(CommandPalette::kOption));
            action->setStatusTip(capitalized(toQString(entry.help)));
            connect(action, &QAction::triggered, bench_.options, act);
            openings.push_back({action, tr("Options"), text});
            return action;
        };
        add(toQString(entry.label), [options = bench_.options, &entry] {
            options->openAt(entry);
        })->setData(holds<double, std::uint64_t>(entry));
        for (const std::string& choice : namedValues(entry))
            add(toQString(entry.label) + QStringLiteral(": ") + toQString(choice),
                [this, &entry, choice] { giveOption(entry, toQString(choice)); });
    }
    return openings;
}

void HelpController::giveOption(const OptionEntry& entry, const QString& value) const {
    bench_.guarded([&] { bench_.options->give(entry, value); });
}

std::vector<NamedAction> HelpController::preferences(QObject* owner) const {
    std::vector<NamedAction> openings;
    for (const Preference& preference : preferences_->all()) {
        auto* opening = new QAction(owner);
        opening->setObjectName(QStringLiteral("preference-") + preference.name);
        opening->setStatusTip(preference.help);
        connect(opening, &QAction::triggered, preferences_,
                [all = preferences_, name = preference.name] { all->openAt(name); });
        openings.push_back({opening, tr("Preferences"), preference.title});
    }
    return openings;
}

void HelpController::showPalette() {
    std::vector<NamedAction> actions = actionsOf(*bench_.window->menuBar());
    auto* openings = new QObject(this);
    for (const auto& more : {preferences(openings), options(openings)})
        actions.insert(actions.end(), more.begin(), more.end());
    auto* palette = new CommandPalette(std::move(actions), bench_.window);
    palette->setAttribute(Qt::WA_DeleteOnClose);
    connect(palette, &QObject::destroyed, openings, &QObject::deleteLater);
    connect(palette, &CommandPalette::findRequested, this, &HelpController::findRequested);
    connect(palette, &CommandPalette::numberGiven, this, [this](const QAction* option, const QString& number) {
        for (const OptionEntry& entry : optionTable())
            if (toQString(entry.label) == option->text()) giveOption(entry, number);
    });
    palette->open();
}

QString HelpController::placeOf(const QWidget* focus) const {
    if (const Page* page = bench_.pages->around(focus)) return page->help;
    if (guide_->has(focus)) return QStringLiteral("dialogs.md#tour-and-lessons");
    for (const auto& [part, place] : parts_)
        if (part == focus || part->isAncestorOf(focus)) return QLatin1String(place);
    return QStringLiteral("window.md");
}

void HelpController::showManual(QString place) {
    if (place.isEmpty()) place = placeOf(QApplication::focusWidget());
    if (!manual_) manual_ = new ManualWindow(bench_.window);
    manual_->show();  // layout and scrolling need the final size of the window
    manual_->raise();
    manual_->activateWindow();
    manual_->open(place);
}

}  // namespace aotscope
