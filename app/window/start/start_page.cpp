#include "window/start/start_page.h"

#include "canvas/view/text_zoom.h"
#include "models/words/to_qstring.h"
#include "record/options/remote_model.h"
#include "window/lessons/lesson.h"

#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace aotscope {

namespace {

constexpr int kSideWidth = 290, kWidestPage = 1500, kLeastSamples = 240;  ///< pixels
constexpr int kPageMargin = 24, kColumnGap = 28;

constexpr const char* kTitleSize = "titleSize";  ///< in comparison to other text

QLabel* titleLabel(const QString& text, double size, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setProperty(kTitleSize, size);
    return label;
}

QLabel* wrappedLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    return label;
}

/// Not a file on this machine.
bool isOnlyAName(const QString& model) {
    const std::string name = model.toStdString();
    return isSample(name) || isRemote(name);
}

}  // namespace

StartPage::StartPage(QWidget* parent)
    : QScrollArea(parent),
      open_(new QPushButton(tr("Open Model or Session…"), this)),
      scratch_(new QPushButton(tr("New Scratch Pad"), this)),
      recentTitle_(titleLabel(tr("Recent"), 1.15, this)),
      recent_(new ChoiceList(this)),
      lessons_(new ChoiceList(this)),
      learn_(new ChoiceList(this)),
      samples_(new SampleCards(this)),
      side_(makeSide()) {
    setAccessibleName(tr("Start"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);
    auto* content = new QWidget;
    auto* layout = new QHBoxLayout(content);
    layout->setContentsMargins(kPageMargin, kPageMargin, kPageMargin, kPageMargin / 2);
    layout->setSpacing(kColumnGap);
    layout->addStretch(1);
    layout->addWidget(side_);
    layout->addWidget(makeSamples(), 1000);
    layout->addStretch(1);
    setWidget(content);
    fitText();
    connect(open_, &QPushButton::clicked, this, &StartPage::openRequested);
    connect(scratch_, &QPushButton::clicked, this, &StartPage::scratchRequested);
    connect(recent_, &ChoiceList::chosen, this, &StartPage::modelChosen);
    connect(samples_, &ChoiceList::chosen, this, &StartPage::modelChosen);
    connect(lessons_, &ChoiceList::chosen, this, &StartPage::lessonRequested);
    connect(learn_, &ChoiceList::chosen, this, &StartPage::manualRequested);
}

QWidget* StartPage::makeSide() {
    auto* side = new QWidget;
    open_->setObjectName(QStringLiteral("startOpen"));
    open_->setToolTip(tr("Opens a model, a session file or a log of graphs that Python printed (Ctrl+O)"));
    open_->setMinimumHeight(open_->sizeHint().height() + 8);
    scratch_->setObjectName(QStringLiteral("startScratch"));
    scratch_->setToolTip(tr("Compiles TorchScript functions while they are typed; it has examples (Ctrl+N)"));
    recent_->setObjectName(QStringLiteral("recentModels"));
    recent_->setAccessibleName(tr("Recent models"));
    lessons_->setObjectName(QStringLiteral("lessons"));
    lessons_->setAccessibleName(tr("Lessons"));
    for (const Lesson& lesson : lessons()) lessons_->add(lesson.title, lesson.name, lesson.summary);
    lessons_->setVisibleRows(lessons_->count());
    learn_->setObjectName(QStringLiteral("learn"));
    learn_->setAccessibleName(tr("Pages of the manual"));
    learn_->add(tr("First Steps"), QStringLiteral("first-steps.md"), tr("Five minutes with a sample"));
    learn_->add(tr("A Tour of the Window"), QStringLiteral("window.md"), tr("Where things are"));
    learn_->add(tr("What AOTAutograd Does"), QStringLiteral("pipeline.md"),
                tr("From a program to a compiled function, step by step"));
    learn_->add(tr("Opening Your Own Model"), QStringLiteral("opening.md"),
                tr("How to export a model from Python, and what else can be opened"));
    learn_->add(tr("Keys"), QStringLiteral("keys.md"), tr("All keys, by menu"));
    learn_->setVisibleRows(learn_->count());

    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(titleLabel(QStringLiteral("aotscope"), 2, side));
    layout->addWidget(wrappedLabel(tr("Shows every step of AOTAutograd for a PyTorch model: the joint, forward and "
                                      "backward graphs, what is saved and why, and how long everything takes."),
                                   side));
    layout->addSpacing(kPageMargin / 2);
    layout->addWidget(open_);
    layout->addWidget(wrappedLabel(tr("or drop a file here: a model from torch.export or TorchScript, a session, or a "
                                      "log of graphs that Python printed."),
                                   side));
    layout->addWidget(scratch_);
    layout->addSpacing(kPageMargin / 2);
    layout->addWidget(recentTitle_);
    layout->addWidget(recent_, 1);
    layout->addSpacing(kPageMargin / 2);
    layout->addWidget(titleLabel(tr("Lessons"), 1.15, side));
    layout->addWidget(lessons_);
    layout->addSpacing(kPageMargin / 2);
    layout->addWidget(titleLabel(tr("Manual"), 1.15, side));
    layout->addWidget(learn_);
    layout->addStretch();
    return side;
}

QWidget* StartPage::makeSamples() {
    auto* part = new QWidget(this);
    part->setMinimumWidth(kLeastSamples);
    part->setMaximumWidth(kWidestPage - kSideWidth);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(titleLabel(tr("Samples"), 1.15, part));
    layout->addWidget(samples_, 1);
    return part;
}

void StartPage::refresh(const QStringList& recentModels) {
    recent_->clear();
    for (const QString& model : recentModels)
        recent_->add(isOnlyAName(model) ? toQString(shownModel(model.toStdString())) : QFileInfo(model).fileName(),
                     model, model);
    recent_->setVisibleRows(3);
    recentTitle_->setVisible(!recentModels.isEmpty());
    recent_->setVisible(!recentModels.isEmpty());
    dim({});
    lookForMissing(recentModels);
}

void StartPage::showDone(const QStringList& done) {
    for (int row = 0; row < lessons_->count(); ++row) {
        QListWidgetItem* item = lessons_->item(row);
        const Lesson& lesson = lessons()[static_cast<std::size_t>(row)];
        const bool was = done.contains(lesson.name);
        item->setText(was ? QStringLiteral("✓ ") + lesson.title : lesson.title);
        item->setData(Qt::AccessibleTextRole, was ? tr("%1, done").arg(lesson.title) : lesson.title);
    }
}

/// Files may be on disks that take long to answer.
void StartPage::lookForMissing(const QStringList& files) {
    job_.cancel();
    job_.start<QStringList>(
        tr("Looking for recent files"),
        [files](const Progress&) {
            QStringList missing;
            for (const QString& file : files)
                if (!isOnlyAName(file) && !QFileInfo::exists(file)) missing << file;
            return missing;
        },
        [this](const QStringList& missing) { dim(missing); });
}

void StartPage::dim(const QStringList& missing) {
    missing_ = missing;
    for (int row = 0; row < recent_->count(); ++row) {
        QListWidgetItem* item = recent_->item(row);
        const QString model = ChoiceList::choiceOf(*item);
        const bool lost = missing_.contains(model);
        item->setForeground(palette().brush(lost ? QPalette::PlaceholderText : QPalette::Link));
        item->setToolTip(lost ? tr("%1 does not exist any more").arg(model) : model);
    }
    for (const ChoiceList* list : {lessons_, learn_})
        for (int row = 0; row < list->count(); ++row) list->item(row)->setForeground(palette().link());
}

/// Arrow keys then move through the samples.
void StartPage::showEvent(QShowEvent* event) {
    QScrollArea::showEvent(event);
    samples_->setFocus(Qt::OtherFocusReason);  // as a proxy, it would be the only part reached by Tab
}

/// Titles, and the width of what has no other.
void StartPage::fitText() {
    side_->setFixedWidth(static_cast<int>(kSideWidth * usualZoom()));
    for (QLabel* label : findChildren<QLabel*>()) {
        const double size = label->property(kTitleSize).toDouble();
        if (size == 0) continue;
        QFont title = font();
        title.setPointSizeF(title.pointSizeF() * size);
        title.setBold(true);
        label->setFont(title);
    }
}

void StartPage::changeEvent(QEvent* event) {
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) dim(missing_);
    if (event->type() == QEvent::FontChange) fitText();
}

}  // namespace aotscope
