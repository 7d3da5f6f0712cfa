#include "panels/fit_panel.h"

#include "io/tables/fit_table.h"
#include "models/tables/table_content.h"
#include "models/words/to_qstring.h"
#include "support/enumerators.h"
#include "support/formatted.h"

#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

namespace aotscope {

namespace {

constexpr double kGigabyte = 1e9;
constexpr int kChartHeight = 360, kTableHeight = 240;  ///< their ratio
/// Where a slider ends if a size has no bound.
constexpr std::int64_t kTimesExample = 8;

QComboBox* choice(QWidget* parent, const char* name, const QString& tip) {
    auto* box = new QComboBox(parent);
    box->setObjectName(QLatin1String(name));
    box->setToolTip(tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    return box;
}

QLayout* besideEachOther(QWidget* first, QWidget* second) {
    auto* row = new QHBoxLayout;
    row->addWidget(first, 3);
    row->addWidget(second, 2);
    return row;
}

/// "3.20 GB of 80.0 GB, in the backward; 12 ms a step (estimated)".
QString figuresText(const BatchStep& row, std::int64_t limit) {
    const TrainingStep& step = row.step;
    const bool fits = step.peakBytes() <= limit;
    const QString batch = row.batch > 0 ? QObject::tr("batch %1").arg(row.batch) : QObject::tr("this batch");
    return QObject::tr("%1 %2: %3 of %4, in the %5; %6 a step")
        .arg(batch, fits ? QObject::tr("fits") : QObject::tr("does not fit"), toQString(formatBytes(step.peakBytes())),
             toQString(formatBytes(limit)), toQString(name(step.peakPhase())),
             toQString(timeText(step.ms(), step.basis)));
}

}  // namespace

FitPanel::FitPanel(QWidget* parent)
    : QWidget(parent),
      form_(new QFormLayout),
      device_(choice(this, "fitDevice", tr("Where the model is trained; GPUs by their data sheets"))),
      optimizer_(choice(this, "fitOptimizer", tr("With its defaults: its states and temporaries are counted"))),
      loss_(choice(this, "fitLoss", tr("Of the outputs, if the model computes no loss itself"))),
      limit_(new QDoubleSpinBox(this)),
      heading_(new QLabel(this)),
      chart_(new FitChart(this)),
      rows_(new TablePanel(this)) {
    setObjectName(QStringLiteral("fitPanel"));
    for (const OptimizerFormula& formula : optimizerFormulas()) {
        optimizer_->addItem(toQString(formula.name));
        optimizer_->setItemData(optimizer_->count() - 1, toQString(formula.help), Qt::ToolTipRole);
    }
    optimizer_->setCurrentText(QStringLiteral("adamw"));
    for (const AssumedLoss loss : kEnumerators<AssumedLoss>) loss_->addItem(toQString(name(loss)));
    device_->setAccessibleName(tr("Device"));
    optimizer_->setAccessibleName(tr("Optimizer"));
    loss_->setAccessibleName(tr("Loss"));
    limit_->setAccessibleName(tr("Memory"));
    limit_->setObjectName(QStringLiteral("fitMemory"));
    limit_->setRange(0.001, 100000);
    limit_->setDecimals(3);
    limit_->setSuffix(tr(" GB"));
    limit_->setToolTip(tr("Memory to fit into"));
    limit_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    heading_->setObjectName(QStringLiteral("fitHeading"));
    heading_->setWordWrap(true);
    heading_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    form_->setContentsMargins(6, 4, 6, 0);
    form_->setVerticalSpacing(3);
    form_->addRow(tr("Device"), besideEachOther(device_, limit_));
    form_->addRow(tr("Optimizer"), besideEachOther(optimizer_, loss_));
    batch_ = addSize(tr("Batch"), tr("The first dimension that all tensor inputs share"));
    batch_.slider->setObjectName(QStringLiteral("fitBatch"));
    rows_->setObjectName(QStringLiteral("fitRows"));
    rows_->view()->setAccessibleName(tr("Training steps by batch"));
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->addWidget(chart_);
    parts->addWidget(rows_);
    parts->setChildrenCollapsible(false);
    parts->setSizes({kChartHeight, kTableHeight});
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(form_);
    layout->addWidget(heading_);
    layout->addWidget(parts, 1);
    auto* scrolled = new QScrollArea(this);  // on small screens
    scrolled->setAccessibleName(tr("Does a training step fit"));
    scrolled->setFrameShape(QFrame::NoFrame);
    scrolled->setWidgetResizable(true);
    scrolled->setWidget(content);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(scrolled);
    heading_->setContentsMargins(6, 0, 6, 0);
    connect(device_, &QComboBox::currentIndexChanged, this, &FitPanel::deviceChosen);
    for (QComboBox* box : {optimizer_, loss_}) connect(box, &QComboBox::currentIndexChanged, this, &FitPanel::asked);
    connect(limit_, &QDoubleSpinBox::valueChanged, this, &FitPanel::asked);
    connect(chart_, &FitChart::batchChosen, this,
            [this](qint64 batch) { batch_.box->setValue(static_cast<int>(batch)); });
}

FitPanel::Size FitPanel::addSize(const QString& title, const QString& help) {
    const Size size{new QSlider(Qt::Horizontal, this), new QSpinBox(this), new QHBoxLayout};
    size.slider->setToolTip(help);
    size.slider->setAccessibleName(title);
    size.box->setToolTip(help);
    size.box->setAccessibleName(title);
    size.row->addWidget(size.slider, 1);
    size.row->addWidget(size.box);
    form_->addRow(title, size.row);
    connect(size.slider, &QSlider::valueChanged, size.box, &QSpinBox::setValue);
    connect(size.box, &QSpinBox::valueChanged, size.slider, &QSlider::setValue);
    connect(size.box, &QSpinBox::valueChanged, this, &FitPanel::asked);
    return size;
}

void FitPanel::setRange(const Size& size, std::int64_t least, std::int64_t most, std::int64_t value) {
    const QSignalBlocker quietBox(size.box), quietSlider(size.slider);
    size.box->setRange(static_cast<int>(least), static_cast<int>(most));
    size.slider->setRange(static_cast<int>(least), static_cast<int>(most));
    size.box->setValue(static_cast<int>(value));
    size.slider->setValue(static_cast<int>(value));
    for (QWidget* part : {static_cast<QWidget*>(size.box), static_cast<QWidget*>(size.slider)})
        part->setEnabled(most > least);
}

const DataSheet* FitPanel::sheet() const {
    const QString name = device_->currentData().toString();
    return name.isEmpty() ? nullptr : dataSheetNamed(name.toStdString());
}
const OptimizerFormula& FitPanel::optimizer() const {
    return optimizerFormulaNamed(optimizer_->currentText().toStdString());
}
AssumedLoss FitPanel::loss() const { return *enumeratorNamed<AssumedLoss>(loss_->currentText().toStdString()); }
std::int64_t FitPanel::limit() const { return static_cast<std::int64_t>(limit_->value() * kGigabyte); }

void FitPanel::setLimit(std::int64_t bytes) {
    const QSignalBlocker quiet(limit_);
    limit_->setValue(static_cast<double>(bytes) / kGigabyte);
}

SymbolValues FitPanel::sizes() const {
    SymbolValues values;
    for (const auto& [symbol, size] : others_) values[symbol] = size.box->value();
    return values;
}

void FitPanel::reset(const QString& why, const QString& ownDevice) {
    const QSignalBlocker quiet(device_);
    device_->clear();
    device_->addItem(tr("%1 (this machine)").arg(ownDevice));
    for (const DataSheet& sheet : dataSheets()) device_->addItem(toQString(sheet.title), toQString(sheet.name));
    for (QWidget* part : std::initializer_list<QWidget*>{device_, optimizer_, loss_, limit_})
        part->setEnabled(why.isEmpty());
    setRange(batch_, 1, 1, 1);
    setSizes({});
    chart_->show({}, 0);
    rows_->setContent({});
    heading_->setText(why);
}

void FitPanel::setSizes(const std::vector<Symbol>& others) {
    for (const auto& [symbol, size] : others_) form_->removeRow(size.row);
    others_.clear();
    for (const Symbol& symbol : others) {
        const Size size = addSize(toQString(symbol.origin), tr("Another dynamic size"));
        const std::int64_t most = std::min(symbol.max, std::max<std::int64_t>(2, symbol.hint) * kTimesExample);
        setRange(size, std::max<std::int64_t>(symbol.min, 1), most, symbol.hint);
        others_[symbol.name] = size;
    }
}

void FitPanel::show(const BatchSearch& found, std::int64_t shown) {
    chart_->show(found, shown);
    TableContent content = contentOf(fitTable(found));
    const QStringList lines = content.summary.split(u'\n', Qt::SkipEmptyParts);
    content.summary.clear();  // it is in the heading
    rows_->setContent(std::move(content));
    if (found.rows.empty()) return;
    const auto is = [&](const BatchStep& row) { return row.batch == shown; };
    const auto row = std::ranges::find_if(found.rows, is);
    const BatchStep& first = row == found.rows.end() ? found.rows.front() : *row;
    setRange(batch_, found.rows.front().batch, std::max<std::int64_t>(found.rows.back().batch, 1), first.batch);
    rows_->selectRow(static_cast<int>(&first - found.rows.data()));
    QStringList sentences{capitalized(figuresText(first, found.limit)) + u'.'};
    for (const QString& line : lines)
        sentences << capitalized(line) + (line.endsWith(u'.') ? QString() : QStringLiteral("."));
    heading_->setText(sentences.join(u' '));
    heading_->setToolTip(heading_->text());
}

void FitPanel::showProblem(const QString& text) { heading_->setText(capitalized(text)); }

}  // namespace aotscope
