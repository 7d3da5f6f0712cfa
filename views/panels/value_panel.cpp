#include "panels/value_panel.h"

#include "canvas/drawn_graph.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

namespace aotscope {

ValuePanel::ValuePanel(QWidget* parent)
    : QWidget(parent),
      state_(new QLabel(this)),
      watches_(new TablePanel(this)),
      watch_(new QPushButton(tr("Watch"), this)),
      unwatch_(new QPushButton(tr("Remove"), this)),
      set_(new QPushButton(tr("Set"), this)),
      name_(new QLabel(this)),
      facts_(new QLabel(this)),
      histogram_(new ValueHistogram(this)),
      first_(new QPlainTextEdit(this)),
      indexLine_(new QHBoxLayout),
      heatMap_(new HeatMap(this)),
      edit_(new QLineEdit(this)) {
    setObjectName(QStringLiteral("values"));
    state_->setObjectName(QStringLiteral("debugState"));
    state_->setWordWrap(true);
    state_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    watches_->setObjectName(QStringLiteral("watchTable"));
    watches_->view()->setAccessibleName(tr("Watched values"));
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(watches_);
    splitter->addWidget(makeDetails());
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({150, 500});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(4);
    layout->addWidget(state_);
    layout->addLayout(makeButtons());
    layout->addWidget(splitter, 1);
    connect(watches_, &TablePanel::nodeSelected, this, &ValuePanel::nodeSelected);
    clearValue();
}

QLayout* ValuePanel::makeButtons() {
    auto* line = new QHBoxLayout;
    watch_->setObjectName(QStringLiteral("watch"));
    watch_->setToolTip(tr("Add the selected value to the table (V)"));
    unwatch_->setObjectName(QStringLiteral("unwatch"));
    unwatch_->setToolTip(tr("Remove the selected rows from the table (Ctrl+Shift+V)"));
    line->addWidget(watch_);
    line->addWidget(unwatch_);
    line->addStretch(1);
    connect(watch_, &QPushButton::clicked, this, &ValuePanel::watchRequested);
    connect(unwatch_, &QPushButton::clicked, this, &ValuePanel::unwatchRequested);
    return line;
}

QWidget* ValuePanel::makeDetails() {
    auto* details = new QWidget(this);
    QFont bold = name_->font();
    bold.setBold(true);
    name_->setFont(bold);
    facts_->setWordWrap(true);
    facts_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    first_->setObjectName(QStringLiteral("firstElements"));
    first_->setAccessibleName(tr("First elements"));
    first_->setReadOnly(true);
    first_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    first_->setLineWrapMode(QPlainTextEdit::NoWrap);
    first_->setMaximumHeight(110);
    edit_->setObjectName(QStringLiteral("valueEdit"));
    edit_->setAccessibleName(tr("New value"));
    edit_->setPlaceholderText(tr("0   1 2 3   [0, 1] = nan"));
    edit_->setToolTip(
        tr("One number for all elements, one number for each, or [INDEX, …] = NUMBER. The run continues with the new "
           "value."));
    auto* editLine = new QHBoxLayout;
    editLine->addWidget(new QLabel(tr("New value"), this));
    editLine->addWidget(edit_, 1);
    editLine->addWidget(set_);
    auto* layout = new QVBoxLayout(details);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(name_);
    layout->addWidget(facts_);
    layout->addLayout(editLine);
    layout->addWidget(histogram_);
    layout->addWidget(first_);
    layout->addLayout(indexLine_);
    layout->addWidget(heatMap_, 1);
    layout->addStretch(0);
    const auto ask = [this] {
        if (set_->isEnabled() && !edit_->text().trimmed().isEmpty()) Q_EMIT editRequested(edit_->text().trimmed());
    };
    connect(set_, &QPushButton::clicked, this, ask);
    connect(edit_, &QLineEdit::returnPressed, this, ask);
    return details;
}

void ValuePanel::setState(const QString& sentence) { state_->setText(sentence); }

void ValuePanel::setWatches(const std::vector<ShownValue>& values) { watches_->setContent(watchTable(values)); }

/// One spin box for each dimension before the last two; they stay while the sizes do.
void ValuePanel::setIndices(const std::vector<std::int64_t>& sizes) {
    if (sizes == sizes_) return;
    sizes_ = sizes;
    indices_.clear();
    while (QLayoutItem* item = indexLine_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (std::size_t d = 0; d + 2 < sizes.size(); ++d) {
        auto* box = new QSpinBox(this);
        box->setPrefix(QStringLiteral("[%1] ").arg(d));
        box->setRange(0, static_cast<int>(sizes[d]) - 1);
        box->setWrapping(true);
        box->setAccessibleName(tr("Index in dimension %1").arg(d));
        box->setToolTip(tr("Index in dimension %2 (size %1)").arg(sizes[d]).arg(d));
        connect(box, &QSpinBox::valueChanged, this, &ValuePanel::leadingChanged);
        indexLine_->addWidget(box);
        indices_.push_back(box);
    }
    if (!indices_.empty()) indexLine_->addStretch(1);
}

std::vector<std::int64_t> ValuePanel::leading() const {
    std::vector<std::int64_t> indices;
    for (const QSpinBox* box : indices_) indices.push_back(box->value());
    return indices;
}

void ValuePanel::showValue(const ShownValue& value, const std::optional<ValueImage>& image) {
    name_->setText(value.name);
    const bool known = value.facts.has_value();
    facts_->setText(known ? toQString(describe(*value.facts)) : tr("not computed yet"));
    first_->setPlainText(known ? firstElements(*value.facts) : QString());
    if (known && !value.facts->histogram.empty())
        histogram_->setBins(value.facts->histogram, value.facts->min, value.facts->max);
    else histogram_->setBins({}, 0, 0);
    setIndices(image ? value.facts->sizes : std::vector<std::int64_t>());
    const auto& sizes = sizes_;
    if (image) heatMap_->setImage(*image, sizes[sizes.size() - 2], sizes.back());
    else heatMap_->setImage({}, 0, 0);
    histogram_->setVisible(!histogram_->bins().empty());
    first_->setVisible(known);
    heatMap_->setVisible(image.has_value());
    editable_ = known && value.facts->elements > 0;
    setActive(active_);
}

void ValuePanel::clearValue() { showValue({}, std::nullopt); }

void ValuePanel::setTheme(const Theme& theme) {
    histogram_->setTheme(theme);
    heatMap_->setTheme(theme);
}

void ValuePanel::setActive(bool active) {
    active_ = active;
    for (QPushButton* button : {watch_, unwatch_}) button->setEnabled(active);
    for (QWidget* widget : {static_cast<QWidget*>(set_), static_cast<QWidget*>(edit_)})
        widget->setEnabled(active && editable_);
    if (name_->text().isEmpty()) facts_->clear();
}

}  // namespace aotscope
