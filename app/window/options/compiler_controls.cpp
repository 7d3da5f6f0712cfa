#include "window/options/compiler_controls.h"

#include "models/words/to_qstring.h"

#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>

#include <algorithm>

namespace aotscope {

namespace {

const QString kPlugin = QStringLiteral("<plug-in>");  // not the name of a compiler

}  // namespace

// --- compilers ---

CompilerControl::CompilerControl(const OptionEntry& entry, std::shared_ptr<const Engine> engine, QWidget* parent)
    : ListControl(entry, parent), engine_(std::move(engine)) {
    connect(box(), &QComboBox::activated, this, &CompilerControl::choose);
}

void CompilerControl::show(const Options& options) {
    Options shown = options;
    name_ = *std::get<std::string*>(entry().field(shown));
    forward_ = options.compilers.forward;
    plugins_ = options.compilers.plugins;
    fill();
}

/// One of the controls may have a plug-in that the others do not know yet.
void CompilerControl::writeTo(Options& options) const {
    *std::get<std::string*>(entry().field(options)) = name_;
    for (const std::filesystem::path& plugin : plugins_)
        if (std::ranges::count(options.compilers.plugins, plugin) == 0) options.compilers.plugins.push_back(plugin);
}

/// That of the forward where possible, the built-in compilers, those of plug-ins, and an item to load one.
void CompilerControl::fill() {
    const bool needsOne = entry().name() == "--compiler";
    box()->clear();
    if (!needsOne) box()->addItem(tr("same as forward (%1)").arg(toQString(forward_)), QString());
    for (const CompilerInfo& compiler : usableCompilers(*engine_, plugins_)) addItem(compiler.name, compiler.help);
    const QString name = toQString(name_);
    if (box()->findData(name) < 0) box()->addItem(name, name);
    box()->addItem(tr("plug-in…"), kPlugin);
    box()->setCurrentIndex(box()->findData(name));
}

void CompilerControl::choose(int item) {
    const QString name = box()->itemData(item).toString();
    if (name == kPlugin) {
        fill();  // the choice stays until a plug-in is loaded
        return Q_EMIT fileWanted();
    }
    if (name == toQString(name_)) return;
    name_ = name.toStdString();
    Q_EMIT changed();
}

void CompilerControl::takeFile(const QString& file) {
    std::vector<std::filesystem::path> plugins = plugins_;
    plugins.emplace_back(file.toStdString());
    name_ = engine_->compilers(plugins).back().name;
    plugins_ = std::move(plugins);
    fill();
    Q_EMIT pluginTaken(file);
    Q_EMIT changed();
}

// --- their settings ---

CompilerSettingsControl::CompilerSettingsControl(const OptionEntry& entry, std::shared_ptr<const Engine> engine,
                                                 QWidget* parent)
    : OptionControl(entry, new QWidget(parent)), engine_(std::move(engine)) {
    auto* form = new QFormLayout(widget());
    form->setContentsMargins(0, 0, 0, 0);
}

std::vector<CompilerSettingsControl::Row> CompilerSettingsControl::rowsOf(const CompilerChoice& choice) const {
    const std::vector<std::string> used = {choice.forward, choice.ofBackward(), choice.ofInference()};
    std::vector<Row> rows;
    for (const CompilerInfo& compiler : usableCompilers(*engine_, choice.plugins))
        if (std::ranges::count(used, compiler.name) > 0)
            for (const CompilerSetting& setting : compiler.settings)
                rows.push_back({compiler.name + "." + setting.name, setting});
    return rows;
}

void CompilerSettingsControl::show(const Options& options) {
    settings_ = options.compilers.settings;
    std::vector<Row> rows = rowsOf(options.compilers);
    if (!std::ranges::equal(rows, rows_, {}, &Row::key, &Row::key) || !widget()->layout()->count())
        build(std::move(rows));
    for (const Row& row : rows_) {
        const auto set = settings_.find(row.key);
        const QString value = toQString(set == settings_.end() ? row.setting.standard : set->second);
        auto* field = widget()->findChild<QWidget*>(toQString(row.key));
        const QSignalBlocker silent(field);
        if (auto* box = qobject_cast<QComboBox*>(field)) box->setCurrentText(value);
        else if (auto* edit = static_cast<QLineEdit*>(field); !edit->isModified()) edit->setText(value);
    }
}

void CompilerSettingsControl::writeTo(Options& options) const { options.compilers.settings = settings_; }

void CompilerSettingsControl::build(std::vector<Row> rows) {
    auto* form = static_cast<QFormLayout*>(widget()->layout());
    while (form->rowCount() > 0) form->removeRow(0);
    rows_ = std::move(rows);
    for (const Row& row : rows_) addRow(row);
    if (rows_.empty()) form->addRow(new QLabel(tr("The compilers in use have no settings"), widget()));
}

void CompilerSettingsControl::addRow(const Row& row) {
    QWidget* field = nullptr;
    if (row.setting.values.empty()) {
        auto* edit = new QLineEdit(widget());
        connect(edit, &QLineEdit::editingFinished, this, [this, row, edit] {
            if (!edit->isModified()) return;
            edit->setModified(false);
            take(row, edit->text());
        });
        field = edit;
    } else {
        auto* box = new QComboBox(widget());
        for (const std::string& value : row.setting.values) box->addItem(toQString(value));
        connect(box, &QComboBox::currentTextChanged, this, [this, row](const QString& value) { take(row, value); });
        field = box;
    }
    guardFromWheel(field);
    field->setObjectName(toQString(row.key));
    field->setAccessibleName(toQString(row.key));
    field->setToolTip(tr("%1; default: %2").arg(toQString(row.setting.help), toQString(row.setting.standard)));
    static_cast<QFormLayout*>(widget()->layout())->addRow(toQString(row.key), field);
}

void CompilerSettingsControl::take(const Row& row, const QString& value) {
    if (value.toStdString() == row.setting.standard) settings_.erase(row.key);
    else settings_[row.key] = value.toStdString();
    Q_EMIT changed();
}

}  // namespace aotscope
