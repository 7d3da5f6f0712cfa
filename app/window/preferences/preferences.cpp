#include "window/preferences/preferences.h"

#include "controllers/make_action.h"
#include "models/words/to_qstring.h"
#include "support/enumerators.h"

#include <QCheckBox>
#include <QComboBox>
#include <QPushButton>
#include <QSpinBox>

namespace aotscope {

namespace {

QString withoutMnemonic(const QAction& action) { return action.text().remove(u'&'); }

/// For a command that is switched on and off elsewhere, too.
template <typename Switch>
Preference switched(const char* name, const QString& section, const QString& title, const QString& help, Switch* on) {
    return {QLatin1String(name), section, title, help, [title, on](QWidget* parent) {
                auto* box = new QCheckBox(title, parent);
                box->setChecked(on->isChecked());
                QObject::connect(box, &QCheckBox::toggled, on, &Switch::setChecked);
                QObject::connect(on, &Switch::toggled, box, &QCheckBox::setChecked);
                return box;
            }};
}

Preference flag(const char* name, const QString& section, const QString& title, const QString& help, bool on,
                std::function<void(bool)> set) {
    return {QLatin1String(name), section, title, help, [=, set = std::move(set)](QWidget* parent) {
                auto* box = new QCheckBox(title, parent);
                box->setChecked(on);
                QObject::connect(box, &QCheckBox::toggled, box, set);
                return box;
            }};
}

Preference command(const char* name, const QString& section, QAction* action, const QString& help) {
    const QString title = withoutMnemonic(*action);
    return {QLatin1String(name), section, title, help, [title, action](QWidget* parent) {
                auto* button = new QPushButton(title, parent);
                button->setAutoDefault(false);
                QObject::connect(button, &QPushButton::clicked, action, &QAction::trigger);
                return button;
            }};
}

}  // namespace

Preferences::Preferences(Workbench& bench)
    : QObject(bench.window),
      bench_(bench),
      action_(makeAction(this, QStringLiteral("actionPreferences"), tr("Pre&ferences…"), {tr("Ctrl+,")},
                         tr("Size of text, appearance, and whatever else holds for all models"),
                         [this] { openAt({}); })) {
    constexpr int step = 10, usual = 100;
    const auto add = [this](const char* name, const QString& text, const QList<QKeySequence>& keys, const QString& tip,
                            const std::function<void()>& run) {
        text_.push_back(makeAction(this, QLatin1String(name), text, keys, tip, run));
    };
    add("actionLargerText", tr("&Larger Text"), {tr("Ctrl+Alt++"), tr("Ctrl+Alt+=")},
        tr("Enlarges the text of the whole window"), [this] { setTextSize(bench_.settings.textSize() + step); });
    add("actionSmallerText", tr("&Smaller Text"), {tr("Ctrl+Alt+-")}, tr("Reduces the text of the whole window"),
        [this] { setTextSize(bench_.settings.textSize() - step); });
    add("actionUsualText", tr("&Usual Text Size"), {}, tr("Gives text the size of the system's font"),
        [this] { setTextSize(usual); });
}

void Preferences::setTextSize(int percent) {
    if (percent == bench_.settings.textSize()) return;
    bench_.settings.setTextSize(percent);
    if (dialog_)
        if (auto* box = dialog_->findChild<QSpinBox*>(QStringLiteral("textSize")))
            box->setValue(bench_.settings.textSize());
    Q_EMIT appearanceChanged();
}

QAction* Preferences::named(const char* action) const {
    return bench_.window->findChild<QAction*>(QLatin1String(action));
}

std::vector<Preference> Preferences::all() {
    std::vector<Preference> all;
    for (const auto& section : {ofAppearance(), ofGraph(), ofFiles(), ofModels()})
        all.insert(all.end(), section.begin(), section.end());
    return all;
}

std::vector<Preference> Preferences::ofAppearance() {
    const QString section = tr("Appearance");
    const auto editSize = [this](QWidget* parent) {
        auto* box = new QSpinBox(parent);
        constexpr int step = 10;
        box->setRange(Settings::kSmallestText, Settings::kLargestText);
        box->setSingleStep(step);
        box->setSuffix(tr(" %"));
        box->setKeyboardTracking(false);  // 15 on the way to 150
        box->setValue(bench_.settings.textSize());
        connect(box, &QSpinBox::valueChanged, this, &Preferences::setTextSize);
        return box;
    };
    const auto editAppearance = [this](QWidget* parent) {
        auto* box = new QComboBox(parent);
        for (const auto& [value, text] :
             {std::pair{Settings::Appearance::system, tr("As the System")},
              std::pair{Settings::Appearance::light, tr("Light")}, std::pair{Settings::Appearance::dark, tr("Dark")}})
            box->addItem(text, static_cast<int>(value));
        box->setCurrentIndex(box->findData(static_cast<int>(bench_.settings.appearance())));
        connect(box, &QComboBox::activated, this, [this, box] {
            bench_.settings.setAppearance(static_cast<Settings::Appearance>(box->currentData().toInt()));
            Q_EMIT appearanceChanged();
        });
        return box;
    };
    return {{QStringLiteral("textSize"), section, tr("Text Size"),
             tr("In percent of the system's font: the whole window, the graph and the manual. Also Ctrl+Alt++ and "
                "Ctrl+Alt+-."),
             editSize},
            {QStringLiteral("appearance"), section, tr("Colours of the Window"),
             tr("Light, dark, or what the system says."), editAppearance},
            flag("colourBlind", section, tr("Palette for Colour-Blind People"),
                 tr("Colours that differ in lightness, too: they can be told apart with protanopia, deuteranopia and "
                    "tritanopia."),
                 bench_.settings.colourBlind(), [this](bool on) {
                     bench_.settings.setColourBlind(on);
                     Q_EMIT appearanceChanged();
                 })};
}

/// Those that need a run are chosen for the next start when there is none.
Preference Preferences::choosesColour() {
    const auto edit = [this](QWidget* parent) {
        auto* box = new QComboBox(parent);
        for (const ColourBy by : kEnumerators<ColourBy>) {
            if (by >= ColourBy::measured && showsValues(by)) continue;  // not restored at a start
            auto* action = bench_.window->findChild<QAction*>(QStringLiteral("colourBy-") + name(by));
            if (!action) continue;
            box->addItem(withoutMnemonic(*action).section(u':', 0, 0), name(by));
            if (name(by) == bench_.settings.colourBy() || action->isChecked()) box->setCurrentIndex(box->count() - 1);
        }
        connect(box, &QComboBox::activated, this, [this, box] {
            const QString chosen = box->currentData().toString();
            bench_.settings.setColourBy(chosen);
            if (auto* action = bench_.window->findChild<QAction*>(QStringLiteral("colourBy-") + chosen))
                action->trigger();
        });
        return box;
    };
    return {QStringLiteral("colourBy"), tr("Graph"), tr("Colour By"),
            tr("What the colours of boxes show: now, and when the program starts."), edit};
}

std::vector<Preference> Preferences::ofGraph() {
    const QString section = tr("Graph");
    return {choosesColour(),
            switched("minimap", section, tr("Minimap"), tr("A small picture of the whole graph beside the canvas."),
                     named("actionMinimap")),
            switched("automaticModules", section, tr("Automatic Modules"),
                     tr("Opens modules as far as text can be read when a graph is opened, and opens and closes them as "
                        "you zoom."),
                     named("actionAutomaticModules")),
            switched("linkCameras", section, tr("Link Views"), tr("Two graphs side by side pan and zoom together."),
                     named("actionLinkCameras")),
            switched("hideIdle", section, tr("Hide Passes Without Changes"),
                     tr("The list of passes has only those that changed the graph."), bench_.passes->hideIdle())};
}

std::vector<Preference> Preferences::ofFiles() {
    const QString section = tr("Files");
    return {flag("reload", section, tr("Compile When the File Changes"),
                 tr("Compiles the open model again whenever its file changes."), bench_.settings.reload(),
                 [this](bool on) { bench_.settings.setReload(on); }),
            command("editLibraries", section, named("actionLibraries"),
                    tr("Shared libraries that register operators for models.")),
            command("editLimits", section, named("actionLimits"),
                    tr("How much time and memory loading and tracing a model may take."))};
}

std::vector<Preference> Preferences::ofModels() {
    const CompilerChoice compilers = bench_.settings.compilers();
    QString kept = bench_.settings.keepInputMutations() ? tr("Keep Input Mutations") : QString();
    for (const auto& [title, compiler] :
         {std::pair{tr("Compiler %1"), compilers.forward}, std::pair{tr("Backward Compiler %1"), compilers.backward},
          std::pair{tr("Inference Compiler %1"), compilers.inference}})
        if (!compiler.empty())
            kept += (kept.isEmpty() ? QString() : QStringLiteral(", ")) + title.arg(toQString(compiler));
    const auto edit = [options = bench_.options->action()](QWidget* parent) {
        auto* button = new QPushButton(withoutMnemonic(*options), parent);
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, options, [button, options] {
            button->window()->close();  // it would be in front
            options->trigger();
        });
        return button;
    };
    return {{QStringLiteral("modelOptions"), tr("New Models"), tr("Options of New Models"),
             tr("Another model starts with the options of the command line, and with Keep Input Mutations and the "
                "compilers as you chose them last under Options. Now: %1.")
                 .arg(kept),
             edit}};
}

void Preferences::openAt(const QString& name) {
    if (!dialog_) {
        dialog_ = new PreferencesDialog(all(), bench_.window);
        dialog_->setAttribute(Qt::WA_DeleteOnClose);
    }
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
    dialog_->openAt(name);
}

}  // namespace aotscope
