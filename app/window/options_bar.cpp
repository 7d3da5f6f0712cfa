#include "window/options_bar.h"

#include "canvas/drawn_graph.h"
#include "compile/compilers.h"
#include "device/device.h"
#include "ops/decomposition_table.h"
#include "record/option_values.h"
#include "support/error.h"

#include <QLabel>
#include <QRegularExpression>
#include <QSignalBlocker>

#include <algorithm>

namespace aotscope {

namespace {

const QString kNone = QStringLiteral("none");

/// Throws UsageError for a text that names no ranges.
std::vector<DynamicRange> rangesOf(const QString& text) {
    static const QRegularExpression separator(QStringLiteral("[,\\s]+"));
    std::vector<DynamicRange> ranges;
    for (const QString& part : text.split(separator, Qt::SkipEmptyParts))
        if (part != kNone) ranges.push_back(parseDynamicRange(part.toStdString()));
    return ranges;
}

QString textOf(const Options& options) {
    if (options.staticShapes) return kNone;
    QStringList parts;
    for (const DynamicRange& range : options.dynamic)
        parts << toQString(range.name) + QStringLiteral("=%1..").arg(range.min) +
                     (range.max == Symbol::kNoMax ? QString() : QString::number(range.max));
    return parts.join(u' ');
}

/// What the table of options says, as a tooltip: "Seed of random inputs".
QString tipOf(const OptionEntry& entry) {
    const QString help = toQString(entry.help);
    return help.left(1).toUpper() + help.mid(1);
}

QString labelOf(const OptionEntry& entry) { return toQString(entry.label); }

/// The last part of the option's key in session files.
QString objectNameOf(const OptionEntry& entry) { return toQString(entry.session).section(u'.', -1); }

}  // namespace

OptionsBar::OptionsBar(QWidget* parent)
    : QToolBar(tr("Options"), parent),
      compile_(new QComboBox(this)),
      device_(new QComboBox(this)),
      mode_(new QComboBox(this)),
      decompose_(new QComboBox(this)),
      partition_(new QComboBox(this)),
      compiler_(new QComboBox(this)),
      seed_(new QSpinBox(this)),
      dynamic_(new CheckedLineEdit(tr("Dynamic shapes"), this)) {
    setObjectName(QStringLiteral("optionsBar"));
    setMovable(true);
    compile_->setObjectName(QStringLiteral("compile"));
    device_->setObjectName(QStringLiteral("device"));
    mode_->setObjectName(QStringLiteral("mode"));
    decompose_->setObjectName(QStringLiteral("decompose"));
    partition_->setObjectName(QStringLiteral("partition"));
    compiler_->setObjectName(QStringLiteral("compiler"));
    for (QComboBox* wide : {compile_, device_, decompose_, partition_, compiler_})
        wide->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    compile_->setToolTip(tr("Compilation of the log that is shown (keys [ and ])"));
    fillDevices();
    mode_->addItem(tr("train"), static_cast<int>(ModuleMode::train));
    mode_->addItem(tr("eval"), static_cast<int>(ModuleMode::eval));
    fillDecompositions();
    partition_->addItem(tr("min-cut"), static_cast<int>(PartitionAlgorithm::minCut));
    partition_->addItem(tr("default"), static_cast<int>(PartitionAlgorithm::defaultPartition));
    fillCompilers();
    seed_->setRange(0, 1'000'000'000);
    seed_->setKeyboardTracking(false);
    dynamic_->setObjectName(QStringLiteral("dynamic"));
    dynamic_->setPlaceholderText(tr("x.0=2..64"));
    dynamic_->setClearButtonEnabled(true);
    dynamic_->setMaximumWidth(220);
    addControls();
    connectControls();
    checkDynamic();
}

void OptionsBar::addControls() {
    const auto add = [this](const QString& label, QWidget* widget) {
        auto* text = new QLabel(QStringLiteral("  ") + label + QStringLiteral(" "), this);
        text->setBuddy(widget);
        return std::vector<QAction*>{addWidget(text), addWidget(widget)};
    };
    const auto addOption = [&](std::string_view option, QWidget* widget) {
        const OptionEntry& entry = optionNamed(option);
        if (widget->toolTip().isEmpty()) widget->setToolTip(tipOf(entry));
        add(labelOf(entry), widget);
    };
    compileActions_ = add(tr("Compilation"), compile_);
    for (QAction* action : compileActions_) action->setVisible(false);
    addOption("--device", device_);
    addOption("--mode", mode_);
    addOption("--decompose", decompose_);
    addOption("--partition", partition_);
    addOption("--compiler", compiler_);
    addBoxes();
    addOption("--dynamic", dynamic_);
    addOption("--seed", seed_);
}

/// Every option of the table that is on or off and has a label.
void OptionsBar::addBoxes() {
    for (const OptionEntry& entry : optionTable()) {
        if (entry.label.empty() || !entry.isFlag()) continue;
        auto* widget = new QCheckBox(labelOf(entry), this);
        widget->setObjectName(objectNameOf(entry));
        widget->setToolTip(tipOf(entry));
        addWidget(widget);
        boxes_.push_back({&entry, widget});
    }
}

QCheckBox* OptionsBar::box(std::string_view option) const {
    return std::ranges::find(boxes_, &optionNamed(option), &Box::entry)->widget;
}

void OptionsBar::connectControls() {
    const auto notify = [this] {
        enableWhatApplies();
        Q_EMIT changed();
    };
    connect(compile_, &QComboBox::currentTextChanged, this, &OptionsBar::compileChosen);
    connect(device_, &QComboBox::currentIndexChanged, this, notify);
    connect(mode_, &QComboBox::currentIndexChanged, this, notify);
    connect(decompose_, &QComboBox::activated, this, &OptionsBar::onDecompositionChosen);
    connect(partition_, &QComboBox::currentIndexChanged, this, notify);
    connect(compiler_, &QComboBox::activated, this, &OptionsBar::onCompilerChosen);
    for (const Box& each : boxes_) connect(each.widget, &QCheckBox::toggled, this, notify);
    connect(seed_, &QSpinBox::valueChanged, this, notify);
    connect(dynamic_, &QLineEdit::textChanged, this, &OptionsBar::checkDynamic);
    connect(dynamic_, &QLineEdit::editingFinished, this, [this, notify] {
        if (!dynamic_->isModified() || !dynamic_->problem().isEmpty()) return;
        dynamic_->setModified(false);
        notify();
    });
}

void OptionsBar::fillDevices() {
    for (const DeviceChoice& choice : deviceChoices()) {
        device_->addItem(toQString(choice.name), toQString(choice.name));
        device_->setItemData(device_->count() - 1, toQString(choice.help), Qt::ToolTipRole);
    }
}

/// The built-in tables, the person's own if there is one, and the way to another.
void OptionsBar::fillDecompositions() {
    decompose_->clear();
    for (const auto& name : DecompositionTable::names()) decompose_->addItem(toQString(name), toQString(name));
    const QString own = table_ ? toQString(table_->name()) : QString();
    if (!own.isEmpty() && decompose_->findData(own) < 0) decompose_->addItem(own.section(u'/', -1), own);
    decompose_->addItem(tr("file…"));
    decompose_->setCurrentIndex(own.isEmpty() ? 0 : decompose_->findData(own));
}

void OptionsBar::onDecompositionChosen(int item) {
    const QString name = decompose_->itemData(item).toString();
    if (name.isEmpty()) {
        fillDecompositions();  // the choice stays until there is a file
        return Q_EMIT decompositionFileWanted();
    }
    if (table_ && toQString(table_->name()) == name) return;
    if (!table_ && item == 0) return;
    table_ = DecompositionTable::load(name.toStdString());
    Q_EMIT changed();
}

void OptionsBar::takeDecompositions(const QString& file) {
    table_ = DecompositionTable::load(file.toStdString());
    fillDecompositions();
    Q_EMIT changed();
}

/// The built-in compilers, those of plug-ins, and the way to another.
void OptionsBar::fillCompilers() {
    std::vector<CompilerInfo> list;
    try {
        list = compilerList(compilers_.plugins);
    } catch (const UsageError&) {  // said when something is compiled
        list = compilerList({});
    }
    compiler_->clear();
    for (const CompilerInfo& compiler : list) {
        compiler_->addItem(toQString(compiler.name), toQString(compiler.name));
        compiler_->setItemData(compiler_->count() - 1, toQString(compiler.help), Qt::ToolTipRole);
    }
    const QString chosen = toQString(compilers_.forward);
    if (compiler_->findData(chosen) < 0) compiler_->addItem(chosen, chosen);
    compiler_->addItem(tr("plug-in…"));
    compiler_->setCurrentIndex(compiler_->findData(chosen));
    compiler_->setToolTip(tr("Compiler of the graphs: forward by %1, backward by %2, inference by %3")
                              .arg(chosen, toQString(compilers_.ofBackward()), toQString(compilers_.ofInference())));
}

/// The choice holds for all graphs.
void OptionsBar::onCompilerChosen(int item) {
    const QString name = compiler_->itemData(item).toString();
    if (name.isEmpty()) {
        fillCompilers();  // the choice stays until there is a plug-in
        return Q_EMIT pluginWanted();
    }
    compilers_.forward = name.toStdString();
    compilers_.backward.clear();
    compilers_.inference.clear();
    fillCompilers();
    Q_EMIT compilerChosen(name);
    Q_EMIT changed();
}

void OptionsBar::takePlugin(const QString& file) {
    std::vector<std::filesystem::path> plugins = compilers_.plugins;
    plugins.emplace_back(file.toStdString());
    compilers_.forward = compilerList(plugins).back().name;
    compilers_.plugins = std::move(plugins);
    compilers_.backward.clear();
    compilers_.inference.clear();
    fillCompilers();
    Q_EMIT pluginTaken(file);
    Q_EMIT compilerChosen(toQString(compilers_.forward));
    Q_EMIT changed();
}

void OptionsBar::checkDynamic() {
    QString problem;
    try {
        rangesOf(dynamic_->text());
    } catch (const UsageError& e) {
        problem = toQString(e.what());
    }
    dynamic_->setProblem(problem);
    if (problem.isEmpty())
        dynamic_->setToolTip(tipOf(optionNamed("--dynamic")) + tr("; \"none\" makes every size static"));
}

void OptionsBar::chooseDevice(const QString& device) {
    if (device_->findData(device) < 0) device_->addItem(device, device);
    device_->setCurrentIndex(device_->findData(device));
}

void OptionsBar::writeTo(Options& options) const {
    options.device = device_->currentData().toString().toStdString();
    options.mode = static_cast<ModuleMode>(mode_->currentData().toInt());
    const int partition = partition_->currentData().toInt();
    if (printed()) options.repartition = partition != kAsPrinted;
    if (partition != kAsPrinted) options.partition.algorithm = static_cast<PartitionAlgorithm>(partition);
    options.decompositions = table_;
    options.compilers = compilers_;
    for (const Box& each : boxes_) *std::get<bool*>(each.entry->field(options)) = each.widget->isChecked();
    options.seed = static_cast<std::uint64_t>(seed_->value());
    if (!dynamic_->problem().isEmpty()) return;
    options.staticShapes = dynamic_->text().trimmed() == kNone;
    options.dynamic = rangesOf(dynamic_->text());
}

void OptionsBar::show(const Options& options) {
    const QSignalBlocker a(mode_), b(partition_), c(seed_), d(device_);
    chooseDevice(toQString(options.device));
    if (!dynamic_->hasFocus()) dynamic_->setText(textOf(options));
    table_ = options.decompositions;
    fillDecompositions();
    compilers_ = options.compilers;
    fillCompilers();
    mode_->setCurrentIndex(mode_->findData(static_cast<int>(options.mode)));
    const bool asPrinted = printed() && !options.repartition;
    partition_->setCurrentIndex(
        partition_->findData(asPrinted ? kAsPrinted : static_cast<int>(options.partition.algorithm)));
    Options shown = options;
    for (const Box& each : boxes_) {
        const QSignalBlocker silent(each.widget);
        each.widget->setChecked(*std::get<bool*>(each.entry->field(shown)));
    }
    seed_->setValue(static_cast<int>(options.seed));
    enableWhatApplies();
}

void OptionsBar::adaptTo(const Options& options, const QStringList& compileIds, const QString& whyNotCompiled) {
    const QSignalBlocker a(compile_), b(partition_);
    compile_->clear();
    compile_->addItems(compileIds);
    compile_->setCurrentText(QString::fromStdString(options.compileId));
    for (QAction* action : compileActions_) action->setVisible(compileIds.size() > 1);
    if (const int item = partition_->findData(kAsPrinted); item >= 0) partition_->removeItem(item);
    if (!whyNotCompiled.isEmpty())
        partition_->addItem(QString::fromStdString(options.model).endsWith(QLatin1String(".aotscope"))
                                ? tr("as saved")
                                : tr("as printed"),
                            kAsPrinted);
    for (QWidget* widget :
         {static_cast<QWidget*>(device_), static_cast<QWidget*>(mode_), static_cast<QWidget*>(decompose_),
          static_cast<QWidget*>(compiler_), static_cast<QWidget*>(box("--inference")),
          static_cast<QWidget*>(box("--keep-input-mutations")), static_cast<QWidget*>(seed_),
          static_cast<QWidget*>(dynamic_)}) {
        const char* own = "ownToolTip";
        if (!widget->property(own).isValid()) widget->setProperty(own, widget->toolTip());
        widget->setToolTip(whyNotCompiled.isEmpty() ? widget->property(own).toString() : whyNotCompiled);
        widget->setEnabled(whyNotCompiled.isEmpty());
    }
    show(options);
}

void OptionsBar::stepCompile(int by) {
    const int next = compile_->currentIndex() + by;
    if (next >= 0 && next < compile_->count()) compile_->setCurrentIndex(next);
}

void OptionsBar::enableWhatApplies() {
    const bool inference = box("--inference")->isChecked() && !printed();
    const bool minCut = partition_->currentData().toInt() == static_cast<int>(PartitionAlgorithm::minCut);
    partition_->setEnabled(!inference);
    box("--static-params")->setEnabled(!inference && minCut);
}

}  // namespace aotscope
