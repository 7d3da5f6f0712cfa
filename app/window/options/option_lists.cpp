#include "window/options/option_lists.h"

#include "models/words/to_qstring.h"
#include "ops/decompositions/decomposition_table.h"
#include "record/options/option_values.h"

#include <QSignalBlocker>

namespace aotscope {

namespace {

// Items that are not values.
const QString kOpenFile = QStringLiteral("<file>"), kEditTable = QStringLiteral("<edit>");

}  // namespace

ListControl::ListControl(const OptionEntry& entry, QWidget* parent) : OptionControl(entry, new QComboBox(parent)) {
    box()->setSizeAdjustPolicy(QComboBox::AdjustToContents);
}

void ListControl::addItem(std::string_view name, std::string_view help) {
    box()->addItem(toQString(name), toQString(name));
    box()->setItemData(box()->count() - 1, toQString(help), Qt::ToolTipRole);
}

// --- names that the command line takes ---

ChoiceControl::ChoiceControl(const OptionEntry& entry, QWidget* parent) : ListControl(entry, parent) {
    for (const std::string& choice : optionChoices(entry)) box()->addItem(toQString(choice));
    connect(box(), &QComboBox::currentIndexChanged, this, &OptionControl::changed);
}

void ChoiceControl::show(const Options& options) {
    const QSignalBlocker silent(box());
    const auto nameOf = []<typename Value>(const Value* value) -> std::string_view {
        if constexpr (std::is_enum_v<Value>) return name(*value);
        else return {};
    };
    Options shown = options;
    box()->setCurrentIndex(box()->findText(toQString(std::visit(nameOf, entry().field(shown)))));
}

void ChoiceControl::writeTo(Options& options) const {
    if (box()->currentIndex() >= 0) setOption(entry(), options, {box()->currentText().toStdString()});
}

void PartitionControl::setOwnPartition(const QString& label) {
    const QSignalBlocker silent(box());
    if (hasOwn_) box()->removeItem(box()->count() - 1);
    hasOwn_ = !label.isEmpty();
    if (hasOwn_) box()->addItem(label);
}

void PartitionControl::show(const Options& options) {
    ChoiceControl::show(options);
    const QSignalBlocker silent(box());
    if (hasOwn_ && !options.repartition) box()->setCurrentIndex(box()->count() - 1);
}

void PartitionControl::writeTo(Options& options) const {
    if (hasOwn_) options.repartition = !isOwn();
    if (!isOwn()) ChoiceControl::writeTo(options);
}

// --- devices ---

DeviceControl::DeviceControl(const OptionEntry& entry, const Engine& engine, QWidget* parent)
    : ListControl(entry, parent) {
    for (const DeviceChoice& choice : engine.devices()) addItem(choice.name, choice.help);
    connect(box(), &QComboBox::currentIndexChanged, this, &OptionControl::changed);
}

void DeviceControl::show(const Options& options) {
    const QSignalBlocker silent(box());
    const QString device = toQString(options.device);
    if (box()->findData(device) < 0) box()->addItem(device, device);
    box()->setCurrentIndex(box()->findData(device));
}

void DeviceControl::writeTo(Options& options) const { options.device = box()->currentData().toString().toStdString(); }

// --- tables of decompositions ---

DecompositionControl::DecompositionControl(const OptionEntry& entry, QWidget* parent) : ListControl(entry, parent) {
    connect(box(), &QComboBox::activated, this, &DecompositionControl::choose);
}

void DecompositionControl::show(const Options& options) {
    table_ = options.decompositions;
    fill();
}

void DecompositionControl::writeTo(Options& options) const { options.decompositions = table_; }

void DecompositionControl::takeFile(const QString& file) {
    table_ = DecompositionTable::load(file.toStdString());
    fill();
    Q_EMIT changed();
}

/// The built-in tables, the user's own if any, and items to load or edit one.
void DecompositionControl::fill() {
    box()->clear();
    for (const auto& name : DecompositionTable::names()) box()->addItem(toQString(name), toQString(name));
    const QString own = table_ ? toQString(table_->name) : QString();
    if (!own.isEmpty() && box()->findData(own) < 0) box()->addItem(own.section(u'/', -1), own);
    box()->addItem(tr("file…"), kOpenFile);
    box()->addItem(tr("edit…"), kEditTable);
    box()->setCurrentIndex(own.isEmpty() ? 0 : box()->findData(own));
}

void DecompositionControl::choose(int item) {
    const QString name = box()->itemData(item).toString();
    if (name == kOpenFile || name == kEditTable) {
        fill();  // the choice stays until a file is chosen
        return name == kOpenFile ? Q_EMIT fileWanted() : Q_EMIT editorWanted();
    }
    if (table_ && toQString(table_->name) == name) return;
    if (!table_ && item == 0) return;
    table_ = DecompositionTable::load(name.toStdString());
    fill();  // without the user's own: its file may be gone
    Q_EMIT changed();
}

}  // namespace aotscope
