#include "panels/dialogs/dimension_table.h"

#include "canvas/drawn_graph.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace aotscope {

DimensionTable::DimensionTable(QWidget* parent)
    : QWidget(parent), grid_(new QGridLayout), add_(new QPushButton(tr("&Add Dimension"), this)) {
    setObjectName(QStringLiteral("dimensions"));
    auto* title = new QLabel(tr("Named dimensions"), this);
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    title->setToolTip(tr("A name in a shape is a size that tensors share and that may vary (a dynamic dimension)"));
    add_->setObjectName(QStringLiteral("addDimension"));
    add_->setAutoDefault(false);
    const char* const titles[] = {QT_TR_NOOP("Name"), QT_TR_NOOP("Size"), QT_TR_NOOP("Min"), QT_TR_NOOP("Max")};
    for (int column = 0; column < 4; ++column) {
        header_[column] = new QLabel(tr(titles[column]), this);
        grid_->addWidget(header_[column], 0, column);
    }
    grid_->setColumnStretch(0, 2);
    for (int column = 1; column < 4; ++column) grid_->setColumnStretch(column, 1);
    auto* heading = new QHBoxLayout;
    heading->addWidget(title);
    heading->addStretch();
    heading->addWidget(add_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(heading);
    layout->addLayout(grid_);
    connect(add_, &QPushButton::clicked, this, [this] {
        append({});
        rows_.back().name->clear();
        rows_.back().name->setFocus();
        read();
    });
    setDimensions({});
}

void DimensionTable::setDimensions(const std::vector<NamedDimension>& dims) {
    const QSignalBlocker quiet(this);
    while (!rows_.empty()) removeRow(rows_.back().remove);
    for (const auto& dimension : dims) append(dimension);
    read();
}

std::vector<QWidget*> DimensionTable::focusOrder() const {
    std::vector<QWidget*> widgets{add_};
    for (const Row& row : rows_)
        for (QWidget* widget :
             {static_cast<QWidget*>(row.name), static_cast<QWidget*>(row.hint), static_cast<QWidget*>(row.min),
              static_cast<QWidget*>(row.max), static_cast<QWidget*>(row.remove)})
            widgets.push_back(widget);
    return widgets;
}

void DimensionTable::add(const NamedDimension& dimension) {
    append(dimension);
    read();
}

void DimensionTable::append(const NamedDimension& dimension) {
    const int line = static_cast<int>(rows_.size()) + 1;
    const auto field = [&](int column, const QString& text, const QString& accessibleName) {
        auto* edit = new CheckedLineEdit(accessibleName, this);
        edit->setText(text);
        grid_->addWidget(edit, line, column);
        edit->show();
        connect(edit, &QLineEdit::textChanged, this, &DimensionTable::read);
        return edit;
    };
    const QString number = QString::number(line);
    Row row{field(0, toQString(dimension.name), tr("Name of dimension %1").arg(number)),
            field(1, QString::number(dimension.hint), tr("Size of dimension %1").arg(number)),
            field(2, QString::number(dimension.min), tr("Smallest size of dimension %1").arg(number)),
            field(3, dimension.max == NamedDimension::kLargest ? QString() : QString::number(dimension.max),
                  tr("Largest size of dimension %1").arg(number)),
            new QToolButton(this)};
    row.max->setPlaceholderText(tr("unlimited"));
    row.remove->setText(QStringLiteral("✕"));
    row.remove->setAutoRaise(true);
    row.remove->setFocusPolicy(Qt::StrongFocus);
    row.remove->setToolTip(tr("Remove this dimension"));
    row.remove->setAccessibleName(tr("Remove dimension %1").arg(number));
    grid_->addWidget(row.remove, line, 4);
    row.remove->show();
    connect(row.remove, &QToolButton::clicked, this, [this, button = row.remove] {
        removeRow(button);
        read();
    });
    rows_.push_back(row);
}

/// The rows below move up.
void DimensionTable::removeRow(const QToolButton* button) {
    const auto it = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.remove == button; });
    for (QWidget* widget :
         {static_cast<QWidget*>(it->name), static_cast<QWidget*>(it->hint), static_cast<QWidget*>(it->min),
          static_cast<QWidget*>(it->max), static_cast<QWidget*>(it->remove)}) {
        grid_->removeWidget(widget);
        widget->hide();
        widget->deleteLater();
    }
    rows_.erase(it);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const int line = static_cast<int>(i) + 1;
        int column = 0;
        for (QWidget* widget : {static_cast<QWidget*>(rows_[i].name), static_cast<QWidget*>(rows_[i].hint),
                                static_cast<QWidget*>(rows_[i].min), static_cast<QWidget*>(rows_[i].max),
                                static_cast<QWidget*>(rows_[i].remove)})
            grid_->addWidget(widget, line, column++);
    }
}

void DimensionTable::read() {
    for (QWidget* label : header_) label->setVisible(!rows_.empty());
    dims_.clear();
    problem_.clear();
    for (const Row& row : rows_) readRow(row);
    Q_EMIT edited();
}

void DimensionTable::readRow(const Row& row) {
    NamedDimension dimension;
    dimension.name = row.name->text().trimmed().toStdString();
    const auto problem = [&](CheckedLineEdit* field, const QString& text) {
        field->setProblem(text);
        if (problem_.isEmpty() && !text.isEmpty())
            problem_ = tr("dimension '%1': %2").arg(toQString(dimension.name), text);
    };
    const auto number = [&](CheckedLineEdit* field, std::int64_t& value, bool mayBeEmpty) {
        const QString text = field->text().trimmed();
        if (text.isEmpty() && mayBeEmpty) return field->setProblem({}), true;
        bool ok = false;
        value = text.toLongLong(&ok);
        problem(field, ok ? QString() : tr("expected an integer"));
        return ok;
    };
    const QString name = row.name->text().trimmed();
    const bool taken = std::any_of(dims_.begin(), dims_.end(), [&](const auto& d) { return d.name == dimension.name; });
    const bool sound = !name.isEmpty() && (name[0].isLetter() || name[0] == u'_') && !name.contains(u',');
    problem(row.name, !sound  ? tr("expected a name that starts with a letter")
                      : taken ? tr("another dimension has this name")
                              : QString());
    bool numbers = number(row.hint, dimension.hint, false);
    numbers &= number(row.min, dimension.min, true);
    numbers &= number(row.max, dimension.max, true);
    if (!sound || taken || !numbers) return;
    const QString fault = toQString(faultOf(dimension));
    problem(dimension.min > dimension.max || dimension.min < 0 ? row.min : row.hint, fault);
    if (fault.isEmpty()) dims_.push_back(std::move(dimension));
}

}  // namespace aotscope
