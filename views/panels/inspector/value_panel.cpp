#include "panels/inspector/value_panel.h"

#include "canvas/drawn_graph.h"
#include "panels/fixed_font.h"
#include "session/rank_run.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>

namespace aotscope {

namespace {

constexpr int kRankColumn = 1;

}  // namespace

ValuePanel::ValuePanel(QWidget* parent)
    : QWidget(parent),
      state_(new QLabel(this)),
      watches_(new TablePanel(this)),
      watch_(new QPushButton(tr("Watch"), this)),
      unwatch_(new QPushButton(tr("Remove"), this)),
      set_(new QPushButton(tr("Set"), this)),
      splitter_(new QSplitter(Qt::Vertical, this)),
      countTitle_(new QLabel(tr("Ranks"), this)),
      count_(new QSpinBox(this)),
      ranks_(new QComboBox(this)),
      marks_(new RankDelegate(
          [this](const QModelIndex& index) {
              const auto row = static_cast<std::size_t>(watches_->sourceRow(index));
              return row < rows_.size() ? rows_[row] : RankRowMark();
          },
          this)),
      legend_(new RankLegend(this)),
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
    auto* details = new QScrollArea(this);
    details->setWidget(makeDetails());
    details->setWidgetResizable(true);
    details->setFrameShape(QFrame::NoFrame);
    details->setFocusPolicy(Qt::NoFocus);
    splitter_->setChildrenCollapsible(false);
    splitter_->addWidget(watches_);
    splitter_->addWidget(details);
    splitter_->setStretchFactor(1, 1);
    splitter_->setSizes({150, 500});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(4);
    layout->addWidget(state_);
    layout->addLayout(makeButtons());
    layout->addWidget(splitter_, 1);
    connect(watches_, &TablePanel::nodeSelected, this, &ValuePanel::nodeSelected);
    // After the node: its values are those of the rank then.
    connect(
        watches_->view()->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& index) {
            if (following_ || !index.isValid() || ranks_->count() == 0) return;
            ranks_->setCurrentIndex(static_cast<int>(rows_[static_cast<std::size_t>(watches_->sourceRow(index))].rank));
        });
    clearValue();
    setRankCount(false, 1, {});
    setRanks({});
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
    addRanks(line);
    connect(watch_, &QPushButton::clicked, this, &ValuePanel::watchRequested);
    connect(unwatch_, &QPushButton::clicked, this, &ValuePanel::unwatchRequested);
    return line;
}

void ValuePanel::addRanks(QHBoxLayout* line) {
    countTitle_->setBuddy(count_);
    count_->setObjectName(QStringLiteral("rankCount"));
    count_->setAccessibleName(tr("Ranks stepped together"));
    count_->setKeyboardTracking(false);
    ranks_->setObjectName(QStringLiteral("shownRank"));
    ranks_->setAccessibleName(tr("Shown rank"));
    ranks_->setToolTip(tr("The rank whose steps, histogram and picture are shown, and whose values are edited"));
    for (QWidget* widget : std::initializer_list<QWidget*>{countTitle_, count_, ranks_}) line->addWidget(widget);
    connect(count_, &QSpinBox::valueChanged, this, &ValuePanel::countChanged);
    connect(ranks_, &QComboBox::currentIndexChanged, this, [this](int rank) {
        if (rank >= 0) Q_EMIT rankChosen(static_cast<std::size_t>(rank));
    });
}

void ValuePanel::setRankCount(bool offered, std::size_t count, const QString& whyAlone) {
    const QSignalBlocker quiet(count_);
    count_->setRange(1, whyAlone.isEmpty() ? static_cast<int>(kMostRankThreads) : 1);
    count_->setValue(static_cast<int>(count));
    count_->setEnabled(whyAlone.isEmpty());
    count_->setToolTip(whyAlone.isEmpty()
                           ? tr("How many ranks are stepped together, each with its own values; 1: the other ranks "
                                "are not there, and have the data of this one (Ctrl+Alt+R)")
                           : whyAlone);
    countTitle_->setVisible(offered);
    count_->setVisible(offered);
}

void ValuePanel::setRanks(const std::vector<bool>& shownOnes) {
    const QSignalBlocker quiet(ranks_);
    ranks_->clear();
    const bool several = shownOnes.size() > 1;
    for (std::size_t rank = 0; several && rank < shownOnes.size(); ++rank) {
        ranks_->addItem(tr("Rank %1").arg(rank));
        if (shownOnes[rank]) continue;
        qobject_cast<QStandardItemModel*>(ranks_->model())->item(static_cast<int>(rank))->setEnabled(false);
        ranks_->setItemData(static_cast<int>(rank),
                            tr("Runs another program than the open one: open that to see its graphs"), Qt::ToolTipRole);
    }
    ranks_->setVisible(several);
    // Room for all ranks of a value, or for some of many.
    constexpr qsizetype most = 8, beside = 4;
    const auto rows = static_cast<int>(std::min<qsizetype>(std::ranges::count(shownOnes, true), most) + beside);
    const int height = watches_->view()->verticalHeader()->defaultSectionSize() * rows;
    if (several) splitter_->setSizes({height, std::max(height, splitter_->height() - height)});
    watches_->view()->setItemDelegateForColumn(kRankColumn, several ? marks_ : nullptr);
}

void ValuePanel::setShownRank(std::size_t rank) {
    const QSignalBlocker quiet(ranks_);
    ranks_->setCurrentIndex(static_cast<int>(rank));
    markShownRank();
}

/// The row of the selected value on the shown rank.
void ValuePanel::markShownRank() {
    following_ = true;
    std::size_t row = 0;
    for (const ShownValue& value : values_)
        for (const RankValue& rank : value.ranks) {
            if (value.node == node_ && static_cast<int>(rank.rank) == ranks_->currentIndex())
                watches_->selectRow(static_cast<int>(row));
            ++row;
        }
    following_ = false;
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
    first_->setFont(fixedFont());
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
    layout->addWidget(legend_);
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

void ValuePanel::setWatches(const std::vector<ShownValue>& values) {
    following_ = true;
    values_ = values;
    rows_ = rankRowMarks(values);
    watches_->setContent(watchTable(values));
    following_ = false;
}

/// One spin box for each dimension before the last two; kept while the sizes do not change.
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
    node_ = value.node;
    name_->setText(value.ranks.empty() ? value.name
                                       : tr("%1 on rank %2").arg(value.name, QString::number(ranks_->currentIndex())));
    legend_->setValue(value);
    const bool known = value.facts.has_value();
    facts_->setText(known                     ? toQString(describe(*value.facts))
                    : value.missing.isEmpty() ? tr("not computed yet")
                                              : value.missing);
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
    editable_ = known ? value.facts->elements > 0 : value.node != kNoNode;
    setActive(active_);
    if (!value.ranks.empty()) markShownRank();
    else if (value.node != kNoNode) watches_->select({value.node});
}

void ValuePanel::clearValue() { showValue({}, std::nullopt); }

void ValuePanel::setTheme(const Theme& theme) {
    marks_->setTheme(theme);
    watches_->view()->viewport()->update();
}

void ValuePanel::setActive(bool active) {
    active_ = active;
    for (QPushButton* button : {watch_, unwatch_}) button->setEnabled(active);
    for (QWidget* widget : {static_cast<QWidget*>(set_), static_cast<QWidget*>(edit_)})
        widget->setEnabled(active && editable_);
    if (name_->text().isEmpty()) facts_->clear();
}

}  // namespace aotscope
