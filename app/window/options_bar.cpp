#include "window/options_bar.h"

#include "models/to_qstring.h"
#include "support/error.h"

#include <QCheckBox>
#include <QLabel>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace aotscope {

namespace {

/// Lists stand first, then what is on or off, then what is typed.
int placeOf(const OptionControl* control) {
    return qobject_cast<QComboBox*>(control->widget()) ? 0 : qobject_cast<QCheckBox*>(control->widget()) ? 1 : 2;
}

}  // namespace

OptionsBar::OptionsBar(QWidget* parent) : QToolBar(tr("Options"), parent), compile_(new QComboBox(this)) {
    setObjectName(QStringLiteral("optionsBar"));
    setMovable(true);
    compile_->setObjectName(QStringLiteral("compile"));
    compile_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    compile_->setToolTip(tr("Compilation of the log that is shown (keys [ and ])"));
    compileActions_ = addLabelled(tr("Compilation"), compile_);
    for (QAction* action : compileActions_) action->setVisible(false);
    addOptions();
    connectControls();
    show(Options());
}

/// Every option of the table with a label.
void OptionsBar::addOptions() {
    for (const OptionEntry& entry : optionTable())
        if (!entry.label.empty()) controls_.push_back(makeControl(entry));
    std::ranges::stable_sort(controls_, {}, placeOf);
    QWidget* last = compile_;
    for (const OptionControl* each : controls_) {
        if (each->entry().isFlag()) addWidget(each->widget());
        else addLabelled(toQString(each->entry().label), each->widget());
        setTabOrder(std::exchange(last, each->widget()), each->widget());
    }
}

OptionControl* OptionsBar::makeControl(const OptionEntry& entry) {
    const std::string_view name = entry.name();
    if (name == "--device") return new DeviceControl(entry, this);
    if (name == "--partition") return partition_ = new PartitionControl(entry, this);
    if (name == "--decompose") return decompositions_ = new DecompositionControl(entry, this);
    if (name == "--compiler") return compilers_ = new CompilerControl(entry, this);
    return makeOptionControl(entry, this);
}

OptionControl* OptionsBar::control(std::string_view option) const {
    const auto found =
        std::ranges::find(controls_, &optionNamed(option), [](const auto* each) { return &each->entry(); });
    check(found != controls_.end(), "the options bar shows options with a label");
    return *found;
}

std::vector<QAction*> OptionsBar::addLabelled(const QString& label, QWidget* widget) {
    auto* text = new QLabel(QStringLiteral("  ") + label + QStringLiteral(" "), this);
    text->setBuddy(widget);
    return {addWidget(text), addWidget(widget)};
}

void OptionsBar::connectControls() {
    for (const OptionControl* each : controls_)
        connect(each, &OptionControl::changed, this, [this] {
            enableWhatApplies();
            Q_EMIT changed();
        });
    connect(compile_, &QComboBox::currentTextChanged, this, &OptionsBar::compileChosen);
    connect(decompositions_, &DecompositionControl::fileWanted, this, &OptionsBar::decompositionFileWanted);
    connect(compilers_, &CompilerControl::pluginWanted, this, &OptionsBar::pluginWanted);
    connect(compilers_, &CompilerControl::pluginTaken, this, &OptionsBar::pluginTaken);
    connect(compilers_, &CompilerControl::chosen, this, &OptionsBar::compilerChosen);
}

void OptionsBar::writeTo(Options& options) const {
    for (const OptionControl* each : controls_) each->writeTo(options);
}

void OptionsBar::show(const Options& options) {
    for (OptionControl* each : controls_) each->show(options);
    enableWhatApplies();
}

void OptionsBar::adaptTo(const Options& options, const QStringList& compileIds, const QString& whyNotCompiled) {
    const QSignalBlocker silent(compile_);
    compile_->clear();
    compile_->addItems(compileIds);
    compile_->setCurrentText(QString::fromStdString(options.compileId));
    for (QAction* action : compileActions_) action->setVisible(compileIds.size() > 1);
    const bool saved = QString::fromStdString(options.model).endsWith(QLatin1String(".aotscope"));
    partition_->setOwnPartition(whyNotCompiled.isEmpty() ? QString() : saved ? tr("as saved") : tr("as printed"));
    for (OptionControl* each : controls_)
        if (each->entry().scope == OptionScope::model) each->setRefusal(whyNotCompiled);
    show(options);
}

void OptionsBar::stepCompile(int by) {
    const int next = compile_->currentIndex() + by;
    if (next >= 0 && next < compile_->count()) compile_->setCurrentIndex(next);
}

void OptionsBar::enableWhatApplies() {
    Options options;
    writeTo(options);
    const bool splits = partition_->hasOwn() || !options.inference;
    const bool minCut = options.partition.algorithm == PartitionAlgorithm::minCut && !partition_->isOwn();
    partition_->widget()->setEnabled(splits);
    control("--static-params")->widget()->setEnabled(splits && minCut);
}

}  // namespace aotscope
