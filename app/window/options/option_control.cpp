#include "window/options/option_control.h"

#include "models/words/to_qstring.h"
#include "panels/dialogs/checked_line_edit.h"
#include "record/options/option_values.h"
#include "support/error.h"
#include "window/options/compiler_controls.h"
#include "window/options/option_lists.h"
#include "window/options/tool_icons.h"

#include <QAction>
#include <QCheckBox>
#include <QEvent>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

namespace aotscope {

namespace {

/// "keepInputMutations" for "Keep Input Mutations".
QString objectNameOf(const OptionEntry& entry) {
    static const QRegularExpression separator(QStringLiteral("[^A-Za-z]+"));
    QString name;
    for (const QString& word : toQString(entry.label).split(separator))
        name += name.isEmpty() ? word.toLower() : word.left(1).toUpper() + word.mid(1);
    return name;
}

class WheelGuard final : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Wheel || static_cast<QWidget*>(watched)->hasFocus()) return false;
        event->ignore();
        return true;
    }
};

/// An option that is on or off.
class FlagControl final : public OptionControl {
public:
    FlagControl(const OptionEntry& entry, QWidget* parent)
        : OptionControl(entry, new QCheckBox(toQString(entry.label), parent)) {
        connect(box(), &QCheckBox::toggled, this, &OptionControl::changed);
    }

    void show(const Options& options) override {
        const QSignalBlocker silent(box());
        Options shown = options;
        box()->setChecked(*std::get<bool*>(entry().field(shown)));
    }
    void writeTo(Options& options) const override { *std::get<bool*>(entry().field(options)) = box()->isChecked(); }

private:
    QCheckBox* box() const { return static_cast<QCheckBox*>(widget()); }
};

/// A number, shown in a `Box`. What is shown is bounded and rounded: an unchanged value is kept as it is.
template <typename Box, typename Value>
class NumberControl final : public OptionControl {
public:
    NumberControl(const OptionEntry& entry, QWidget* parent) : OptionControl(entry, new Box(parent)) {
        const double most = std::min(entry.most, kMost);
        if constexpr (std::is_same_v<Value, double>) {
            constexpr int decimals = 3, steps = 20;
            box()->setDecimals(decimals);
            box()->setSingleStep((most - entry.least) / steps);
        }
        box()->setRange(static_cast<Shown>(entry.least), static_cast<Shown>(most));
        box()->setKeyboardTracking(false);
        connect(box(), &Box::valueChanged, this, &OptionControl::changed);
    }

    void show(const Options& options) override {
        const QSignalBlocker silent(box());
        Options shown = options;
        value_ = *std::get<Value*>(entry().field(shown));
        box()->setValue(static_cast<Shown>(std::min(static_cast<double>(value_), kMost)));
        shown_ = box()->value();
    }
    void writeTo(Options& options) const override {
        const bool unchanged = box()->value() == shown_;
        *std::get<Value*>(entry().field(options)) = unchanged ? value_ : static_cast<Value>(box()->value());
    }

private:
    using Shown = decltype(Box().value());
    static constexpr double kMost = 1e9;  // a spin box counts in int

    Box* box() const { return static_cast<Box*>(widget()); }

    Value value_ = 0;
    Shown shown_ = 0;
};

/// A value typed as on the command line: a name, a file, or several words with spaces between.
class TextControl final : public OptionControl {
public:
    TextControl(const OptionEntry& entry, QWidget* parent)
        : OptionControl(entry, new CheckedLineEdit(toQString(entry.label), parent)) {
        edit()->setPlaceholderText(toQString(entry.value));
        edit()->setClearButtonEnabled(true);
        connect(edit(), &QLineEdit::textChanged, this, [this] { checkText(); });
        connect(edit(), &QLineEdit::editingFinished, this, [this] { takeText(); });
        checkText();
    }

    void show(const Options& options) override {
        const bool typing = edit()->hasFocus() && edit()->isModified();
        if (!typing) edit()->setText(toQString(optionText(entry(), options)));
    }
    void writeTo(Options& options) const override {
        if (edit()->problem().isEmpty()) setOptionText(entry(), options, edit()->text().trimmed().toStdString());
    }
    void takeFile(const QString& file) override {
        edit()->setText(file);
        Q_EMIT changed();
    }
    void offerFiles() {
        QAction* choose = edit()->addAction(toolIcon(ToolIcon::open), QLineEdit::TrailingPosition);
        choose->setToolTip(tr("Choose a file"));
        connect(choose, &QAction::triggered, this, &OptionControl::fileWanted);
    }

private:
    CheckedLineEdit* edit() const { return static_cast<CheckedLineEdit*>(widget()); }

    void checkText() {
        QString problem;
        try {
            Options scratch;
            setOptionText(entry(), scratch, edit()->text().trimmed().toStdString());
        } catch (const UsageError& e) {
            problem = toQString(e.what());
        }
        edit()->setProblem(problem);
        const bool several = entry().values != OptionValues::one;
        setTip(!problem.isEmpty() ? problem
               : several          ? tr("%1; several have spaces between them").arg(help())
                                  : help());
    }

    void takeText() {
        if (!edit()->isModified() || !edit()->problem().isEmpty()) return;
        edit()->setModified(false);
        Q_EMIT changed();
    }
};

/// By the type of the option's value.
OptionControl* makeByType(const OptionEntry& entry, QWidget* parent) {
    const auto make = [&]<typename Value>(const Value*) -> OptionControl* {
        if constexpr (std::is_same_v<Value, bool>) return new FlagControl(entry, parent);
        else if constexpr (std::is_enum_v<Value>) return new ChoiceControl(entry, parent);
        else if constexpr (std::is_same_v<Value, std::uint64_t>)
            return new NumberControl<QSpinBox, Value>(entry, parent);
        else if constexpr (std::is_same_v<Value, double>)
            return new NumberControl<QDoubleSpinBox, Value>(entry, parent);
        auto* text = new TextControl(entry, parent);
        if constexpr (std::is_same_v<Value, std::filesystem::path>) text->offerFiles();
        return text;
    };
    Options options;
    return std::visit(make, entry.field(options));
}

}  // namespace

OptionControl::OptionControl(const OptionEntry& entry, QWidget* widget)
    : QObject(widget), entry_(entry), widget_(widget) {
    widget->setObjectName(objectNameOf(entry));
    widget->setAccessibleName(toQString(entry.label));
    if (widget->focusPolicy() != Qt::NoFocus) guardFromWheel(widget);
    setTip(help());
}

void OptionControl::takeFile(const QString& /*file*/) { check(false, "the option takes no file"); }

QString OptionControl::help() const { return capitalized(toQString(entry_.help)); }

void OptionControl::setTip(const QString& tip) {
    tip_ = tip;
    widget_->setToolTip(refusal_.isEmpty() ? tip_ : capitalized(refusal_));
}

void OptionControl::setRefusal(const QString& why) {
    refusal_ = capitalized(why);
    widget_->setEnabled(why.isEmpty());
    setTip(tip_);
}

void guardFromWheel(QWidget* field) {
    field->setFocusPolicy(Qt::StrongFocus);
    field->installEventFilter(new WheelGuard(field));
}

OptionControl* makeOptionControl(const OptionEntry& entry, const std::shared_ptr<const Engine>& engine,
                                 QWidget* parent) {
    const std::string_view name = entry.name();
    if (name == "--device") return new DeviceControl(entry, *engine, parent);
    if (name == "--partition") return new PartitionControl(entry, parent);
    if (name == "--decompose") return new DecompositionControl(entry, parent);
    if (name == "--compiler-option") return new CompilerSettingsControl(entry, engine, parent);
    if (name.ends_with("compiler")) return new CompilerControl(entry, engine, parent);
    return makeByType(entry, parent);
}

}  // namespace aotscope
