#include "panels/graph/canvas_strip.h"

#include "models/words/to_qstring.h"
#include "support/names.h"

#include <QHBoxLayout>
#include <QStyle>

namespace aotscope {

namespace {

constexpr int kGap = 6;
constexpr QLatin1String kRoomForMark("   ");  ///< Qt draws the menu indicator over the end of the text

QToolButton* makeButton(CanvasStrip* strip, const char* name, const QString& accessibleName, const QString& tip) {
    auto* button = new QToolButton(strip);
    button->setObjectName(QLatin1String(name));
    button->setAccessibleName(accessibleName);
    button->setToolTip(tip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

QLabel* makeLabel(CanvasStrip* strip, const char* name, const QString& tip) {
    auto* label = new QLabel(strip);
    label->setObjectName(QLatin1String(name));
    label->setToolTip(tip);
    return label;
}

}  // namespace

CanvasStrip::CanvasStrip(Legend* legend, QWidget* parent)
    : QWidget(parent),
      legend_(legend),
      colours_(makeButton(this, "stripColours", tr("Colour by"), tr("Chooses what the colours of boxes show"))),
      close_(makeButton(this, "stripClose", tr("Close one level of modules"),
                        tr("Closes the innermost open modules (Q)"))),
      open_(makeButton(this, "stripOpen", tr("Open one more level of modules"),
                       tr("Opens the outermost closed modules (E)"))),
      zoom_(makeButton(this, "stripZoom", tr("Zoom"), tr("Text is as large as elsewhere at 100 %: click, or press Z"))),
      depth_(makeLabel(this, "stripDepth",
                       tr("Modules within modules: at depth 1 the outermost ones are boxes, at the last depth every "
                          "operation is one"))),
      closed_(makeLabel(this, "stripClosed",
                        tr("A closed module is one box. Double-click it, or press G, to see what is in it"))),
      wide_(makeLabel(this, "stripWide",
                      tr("The graph goes on at the side: Shift and the wheel scroll there, Ctrl+0 shows all of it"))) {
    setObjectName(QStringLiteral("canvasStrip"));
    colours_->setPopupMode(QToolButton::InstantPopup);
    close_->setText(QStringLiteral("−"));
    open_->setText(QStringLiteral("+"));
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(kGap, 0, kGap, 0);
    line->setSpacing(kGap);
    for (QWidget* part : std::initializer_list<QWidget*>{colours_, legend_, close_, depth_, open_, closed_})
        line->addWidget(part);
    line->addStretch(1);
    line->addWidget(wide_);
    line->addWidget(zoom_);
    connect(legend_, &Legend::changed, this, &CanvasStrip::showWhatFits);
    connect(close_, &QToolButton::clicked, this, [this] { Q_EMIT depthChosen(-1); });
    connect(open_, &QToolButton::clicked, this, [this] { Q_EMIT depthChosen(1); });
    connect(zoom_, &QToolButton::clicked, this, &CanvasStrip::usualZoomChosen);
    wide_->setText(tr("Wider than the canvas"));
    setMinimumWidth(1);  // parts that do not fit are hidden
    showZoom(1, false);
    showNoModules();
}

void CanvasStrip::setColours(QMenu* menu) {
    colours_->setMenu(menu);
    for (const QAction* action : menu->actions()) {
        if (!action->isCheckable()) continue;
        connect(action, &QAction::toggled, this, [this, action](bool chosen) {
            if (chosen) nameColours(action);
        });
        if (action->isChecked()) nameColours(action);
    }
}

/// "Part" for "&Part: Forward, Backward, Recomputed".
void CanvasStrip::nameColours(const QAction* chosen) {
    const QString name = chosen->text().remove(u'&').remove(u'…').section(u':', 0, 0);
    colours_->setText(tr("Colour: %1").arg(name) + kRoomForMark);
    colours_->setAccessibleName(tr("Colour by %1").arg(name));
    showWhatFits();
}

void CanvasStrip::showNoModules() {
    modules_ = false;
    showWhatFits();
}

void CanvasStrip::showDepth(const OpenDepth& depth, int deepest) {
    modules_ = true;
    const QString shown = tr("Modules open to depth %1 of %2").arg(depth.closed).arg(deepest);
    depthInWords_ = depth.uneven() ? tr("%1, some deeper").arg(shown) : shown;
    depthInShort_ = tr("Depth %1 of %2").arg(depth.closed).arg(deepest);
    closed_->setText(depth.modules == 0
                         ? tr("All modules open")
                         : tr("%1 closed").arg(toQString(counted(static_cast<std::size_t>(depth.modules), "module"))));
    close_->setEnabled(depth.open > 0);
    open_->setEnabled(depth.modules > 0);
    showWhatFits();
}

void CanvasStrip::showZoom(double zoom, bool tooWide) {
    const QString text = tr("%1 %").arg(qRound(zoom * 100));
    if (zoom_->text() == text && tooWide_ == tooWide) return;
    tooWide_ = tooWide;
    zoom_->setText(text);
    zoom_->setAccessibleName(tr("Zoom: %1").arg(text));
    showWhatFits();
}

void CanvasStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    showWhatFits();
}

void CanvasStrip::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) showWhatFits();
}

/// The most important part first. Without any, as while something else is shown in place of the graph, the strip is as
/// high as ever: the canvas would take its place, and not leave it again.
void CanvasStrip::showWhatFits() {
    setMinimumHeight(zoom_->sizeHint().height());
    int room = width() - kGap;
    const auto show = [&room](QWidget* part, bool wanted) {
        const int needed = part->sizeHint().width() + kGap;
        part->setVisible(wanted && needed <= room);
        if (wanted) room -= needed;
    };
    show(close_, modules_);
    show(open_, modules_);
    show(colours_, colours_->menu() != nullptr);
    show(zoom_, true);
    const int warning = tooWide_ ? wide_->sizeHint().width() + kGap : 0;
    legend_->setFolded(legend_->lineWidth() + kGap > room - warning);
    show(legend_, !legend_->isEmpty());
    show(wide_, tooWide_);
    depth_->setText(depthInWords_);
    if (depth_->sizeHint().width() + kGap > room) depth_->setText(depthInShort_);
    show(depth_, modules_);
    show(closed_, modules_);
    layout()->activate();  // a different text in the old place would be cut off
}

}  // namespace aotscope
