#include "panels/train_panel.h"

#include "io/tables/train_tables.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QSplitter>
#include <QVBoxLayout>

namespace aotscope {

namespace {

enum DataSource { kRandomData, kSavedData, kOtherData };

QToolButton* button(const QString& name, const QString& text, const QString& tip, QWidget* parent) {
    auto* made = new QToolButton(parent);
    made->setObjectName(name);
    made->setText(text);
    made->setToolTip(tip);
    return made;
}

}  // namespace

TrainPanel::TrainPanel(QWidget* parent)
    : QWidget(parent),
      steps_(new QSpinBox(this)),
      rate_(new QDoubleSpinBox(this)),
      optimizer_(new QComboBox(this)),
      data_(new QComboBox(this)),
      start_(button(QStringLiteral("startTraining"), tr("Train"),
                    tr("Train copies of the parameters, eager and compiled"), this)),
      stop_(button(QStringLiteral("stopTraining"), tr("Stop"), tr("Stop training after this step (Ctrl+.)"), this)),
      export_(button(QStringLiteral("exportTraining"), tr("Export…"),
                     tr("Save the curves as a picture (.svg, .png), a table (.csv) or with all results (.json)"),
                     this)),
      progress_(new QProgressBar(this)),
      note_(new QLabel(this)),
      chart_(new LossChart(this)),
      figures_(new TablePanel(this)) {
    steps_->setObjectName(QStringLiteral("trainSteps"));
    steps_->setRange(1, 100'000'000);
    steps_->setValue(TrainOptions{}.steps);
    rate_->setObjectName(QStringLiteral("trainRate"));
    rate_->setDecimals(6);
    rate_->setRange(0, 1000);
    rate_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    rate_->setValue(TrainOptions{}.rate);
    optimizer_->setObjectName(QStringLiteral("trainOptimizer"));
    for (const auto& [kind, title] :
         {std::pair{OptimizerKind::sgd, tr("SGD")}, std::pair{OptimizerKind::adam, tr("Adam")}})
        optimizer_->addItem(title, static_cast<int>(kind));
    data_->setObjectName(QStringLiteral("trainData"));
    data_->addItem(tr("random"), kRandomData);
    data_->addItem(tr("file…"), kOtherData);
    data_->setToolTip(
        tr("Random: new inputs from the input spec for each step. File: a list of batches saved with torch.save"));
    progress_->setMaximumWidth(140);
    note_->setObjectName(QStringLiteral("trainNote"));
    figures_->setObjectName(QStringLiteral("trainTable"));
    figures_->view()->setAccessibleName(tr("Training results"));

    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 4, 6, 0);
    auto* second = new QHBoxLayout;
    second->setContentsMargins(6, 0, 6, 0);
    const auto add = [&](QHBoxLayout* line, const QString& text, QWidget* widget) {
        auto* label = new QLabel(text, this);
        label->setBuddy(widget);
        line->addWidget(label);
        line->addWidget(widget);
        line->addSpacing(8);
    };
    add(row, tr("Steps"), steps_);
    add(row, tr("Learning rate"), rate_);
    add(row, tr("Optimizer"), optimizer_);
    row->addStretch(1);
    add(second, tr("Data"), data_);
    note_->setWordWrap(true);
    for (QWidget* widget : {static_cast<QWidget*>(start_), static_cast<QWidget*>(stop_), static_cast<QWidget*>(export_),
                            static_cast<QWidget*>(progress_)})
        second->addWidget(widget);
    second->addWidget(note_, 1);
    auto* splitter = new QSplitter(this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(chart_);
    splitter->addWidget(figures_);
    splitter->setSizes({600, 400});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(row);
    layout->addLayout(second);
    layout->addWidget(splitter, 1);
    connect(start_, &QToolButton::clicked, this, &TrainPanel::startRequested);
    connect(stop_, &QToolButton::clicked, this, &TrainPanel::stopRequested);
    connect(export_, &QToolButton::clicked, this, &TrainPanel::exportRequested);
    connect(data_, &QComboBox::activated, this, [this] {
        if (data_->currentData().toInt() == kOtherData) {
            setData(file_);  // the choice stays until a file is chosen
            Q_EMIT dataRequested();
        }
    });
    reset(tr("Open a model first."));
}

TrainOptions TrainPanel::options() const {
    TrainOptions options;
    options.steps = steps_->value();
    options.rate = rate_->value();
    options.optimizer = static_cast<OptimizerKind>(optimizer_->currentData().toInt());
    if (data_->currentData().toInt() == kSavedData) options.data = file_.toStdString();
    return options;
}

void TrainPanel::setData(const QString& file) {
    file_ = file;
    if (const int old = data_->findData(kSavedData); old >= 0) data_->removeItem(old);
    if (!file.isEmpty()) data_->insertItem(1, QFileInfo(file).fileName(), kSavedData);
    data_->setCurrentIndex(data_->findData(file.isEmpty() ? kRandomData : kSavedData));
}

void TrainPanel::reset(const QString& why) {
    showSteps({});
    note_->setText(why);
    enable(why.isEmpty(), false);
}

void TrainPanel::start() {
    showSteps({});
    note_->clear();
    progress_->setRange(0, steps_->value());
    progress_->setValue(0);
    enable(false, true);
}

void TrainPanel::showSteps(const std::vector<TrainStep>& steps) {
    LossCurves curves;
    for (const TrainStep& step : steps) {
        curves.eager.push_back(step.eager.loss);
        curves.compiled.push_back(step.compiled.loss);
    }
    chart_->setCurves(std::move(curves));
    figures_->setContent(contentOf(trainRunTable(steps)));
    progress_->setValue(static_cast<int>(steps.size()));
}

void TrainPanel::finish(const QString& note) {
    note_->setText(note);
    enable(true, false);
}

void TrainPanel::enable(bool can, bool running) {
    for (QWidget* widget : {static_cast<QWidget*>(steps_), static_cast<QWidget*>(rate_),
                            static_cast<QWidget*>(optimizer_), static_cast<QWidget*>(data_)})
        widget->setEnabled(can);
    start_->setEnabled(can);
    stop_->setEnabled(running);
    progress_->setVisible(running);
    export_->setEnabled(!running && !chart_->curves().eager.empty());
}

}  // namespace aotscope
