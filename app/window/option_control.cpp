#include "window/option_control.h"

#include "models/to_qstring.h"
#include "panels/checked_line_edit.h"
#include "record/option_values.h"
#include "support/error.h"
#include "window/option_lists.h"

#include <QCheckBox>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

namespace aotscope {

namespace {

/// "keepInputMutations" for "Keep Input Mutations".
QString objectNameOf(const OptionEntry& entry) {
    QString name;
    for (const QString& word : toQString(entry.label).split(u' '))
        name += name.isEmpty() ? word.toLower() : word.left(1).toUpper() + word.mid(1);
    return name;
}

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

/// A whole number.
class NumberControl final : public OptionControl {
public:
    NumberControl(const OptionEntry& entry, QWidget* parent) : OptionControl(entry, new QSpinBox(parent)) {
        box()->setRange(static_cast<int>(entry.least), static_cast<int>(std::min(entry.most, kMost)));
        box()->setKeyboardTracking(false);
        connect(box(), &QSpinBox::valueChanged, this, &OptionControl::changed);
    }

    void show(const Options& options) override {
        const QSignalBlocker silent(box());
        Options shown = options;
        box()->setValue(static_cast<int>(*std::get<std::uint64_t*>(entry().field(shown))));
    }
    void writeTo(Options& options) const override {
        *std::get<std::uint64_t*>(entry().field(options)) = static_cast<std::uint64_t>(box()->value());
    }

private:
    static constexpr double kMost = 1e9;  // a spin box counts in int

    QSpinBox* box() const { return static_cast<QSpinBox*>(widget()); }
};

const QString kStatic = QStringLiteral("none");

/// Throws UsageError for a text that names no ranges.
std::vector<DynamicRange> rangesOf(const QString& text) {
    static const QRegularExpression separator(QStringLiteral("[,\\s]+"));
    std::vector<DynamicRange> ranges;
    for (const QString& part : text.split(separator, Qt::SkipEmptyParts))
        if (part != kStatic) ranges.push_back(parseDynamicRange(part.toStdString()));
    return ranges;
}

QString textOf(const std::vector<DynamicRange>& ranges) {
    QStringList parts;
    for (const DynamicRange& range : ranges)
        parts << toQString(range.name) + QStringLiteral("=%1..").arg(range.min) +
                     (range.max == Symbol::kNoMax ? QString() : QString::number(range.max));
    return parts.join(u' ');
}

/// Dynamic sizes and their ranges; "none": every size is static.
class RangesControl final : public OptionControl {
public:
    RangesControl(const OptionEntry& entry, QWidget* parent)
        : OptionControl(entry, new CheckedLineEdit(QObject::tr("Dynamic shapes"), parent)) {
        edit()->setPlaceholderText(QStringLiteral("x.0=2..64"));
        edit()->setClearButtonEnabled(true);
        edit()->setMinimumWidth(edit()->fontMetrics().horizontalAdvance(QStringLiteral("x.0=2..64")) + 32);
        edit()->setMaximumWidth(220);
        connect(edit(), &QLineEdit::textChanged, this, [this] { checkText(); });
        connect(edit(), &QLineEdit::editingFinished, this, [this] { takeText(); });
        checkText();
    }

    /// A text that is being typed stays.
    void show(const Options& options) override {
        if (!edit()->hasFocus()) edit()->setText(options.staticShapes ? kStatic : textOf(options.dynamic));
    }
    void writeTo(Options& options) const override {
        if (!edit()->problem().isEmpty()) return;
        options.staticShapes = edit()->text().trimmed() == kStatic;
        options.dynamic = rangesOf(edit()->text());
    }

private:
    CheckedLineEdit* edit() const { return static_cast<CheckedLineEdit*>(widget()); }

    void checkText() {
        QString problem;
        try {
            rangesOf(edit()->text());
        } catch (const UsageError& e) {
            problem = toQString(e.what());
        }
        edit()->setProblem(problem);
        setTip(problem.isEmpty() ? help() + QObject::tr("; \"none\" makes every size static") : problem);
    }

    void takeText() {
        if (!edit()->isModified() || !edit()->problem().isEmpty()) return;
        edit()->setModified(false);
        Q_EMIT changed();
    }
};

}  // namespace

OptionControl::OptionControl(const OptionEntry& entry, QWidget* widget)
    : QObject(widget), entry_(entry), widget_(widget) {
    widget->setObjectName(objectNameOf(entry));
    setTip(help());
}

QString OptionControl::help() const {
    const QString text = toQString(entry_.help);
    return text.left(1).toUpper() + text.mid(1);
}

void OptionControl::setTip(const QString& tip) {
    tip_ = tip;
    widget_->setToolTip(refusal_.isEmpty() ? tip_ : refusal_);
}

void OptionControl::setRefusal(const QString& why) {
    refusal_ = why;
    widget_->setEnabled(why.isEmpty());
    setTip(tip_);
}

OptionControl* makeOptionControl(const OptionEntry& entry, QWidget* parent) {
    const auto make = [&]<typename Value>(const Value*) -> OptionControl* {
        if constexpr (std::is_same_v<Value, bool>) return new FlagControl(entry, parent);
        else if constexpr (std::is_enum_v<Value>) return new ChoiceControl(entry, parent);
        else if constexpr (std::is_same_v<Value, std::uint64_t>) return new NumberControl(entry, parent);
        else if constexpr (std::is_same_v<Value, std::vector<DynamicRange>>) return new RangesControl(entry, parent);
        check(false, "the options bar has no control for an option of this type");
        return nullptr;
    };
    Options options;
    return std::visit(make, entry.field(options));
}

}  // namespace aotscope
