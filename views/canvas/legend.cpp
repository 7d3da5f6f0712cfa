#include "canvas/legend.h"

#include "canvas/view/text_zoom.h"

#include <QPainter>
#include <cmath>
#include <utility>

namespace aotscope {

namespace {

constexpr int kLine = 20, kLegendMargin = 4, kGap = 14;

int scaled(int pixels) { return static_cast<int>(std::ceil(pixels * usualZoom())); }

/// The entries below one another, until the next click or key.
class LegendList : public QWidget {
public:
    LegendList(std::vector<Theme::LegendEntry> entries, Theme theme, QWidget* parent)
        : QWidget(parent, Qt::Popup), entries_(std::move(entries)), theme_(std::move(theme)) {
        setObjectName(QStringLiteral("legendList"));
        setAttribute(Qt::WA_DeleteOnClose);
        int width = 0;
        for (const auto& entry : entries_) width = std::max(width, legendEntryWidth(entry));
        resize(scaled(width + 2 * kLegendMargin),
               scaled(kLine * static_cast<int>(entries_.size()) + 2 * kLegendMargin));
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillRect(rect(), theme_.background);
        painter.setPen(theme_.faintText);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
        painter.scale(usualZoom(), usualZoom());
        QRectF place(kLegendMargin, kLegendMargin, width() / usualZoom() - 2 * kLegendMargin, kLine);
        for (const auto& entry : entries_) {
            paintLegendEntry(painter, entry, place, theme_);
            place.translate(0, kLine);
        }
    }
    void keyPressEvent(QKeyEvent* /*event*/) override { close(); }

private:
    std::vector<Theme::LegendEntry> entries_;
    Theme theme_;
};

}  // namespace

Legend::Legend(const CanvasState& state, QWidget* parent) : QToolButton(parent), state_(state) {
    setObjectName(QStringLiteral("legend"));
    setText(tr("Legend"));
    setAutoRaise(true);
    setFocusPolicy(Qt::NoFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(this, &QToolButton::clicked, this, &Legend::open);
}

void Legend::refresh() {
    entries_.clear();
    if (state_.graph) entries_ = state_.options.theme.legend(*state_.graph, state_.options.colourBy);
    if (!state_.hits.empty()) entries_.push_back(state_.options.theme.hitEntry());
    if (state_.current >= 0) entries_.push_back(state_.options.theme.currentMark());
    QStringList texts;
    for (const auto& entry : entries_) texts << entry.text;
    setAccessibleName(tr("Legend: %1").arg(texts.join(QStringLiteral(", "))));
    setToolTip(tr("What the colours mean"));
    updateGeometry();
    update();
    Q_EMIT changed();
}

int Legend::lineWidth() const {
    int width = 2 * kLegendMargin - kGap;
    for (const auto& entry : entries_) width += legendEntryWidth(entry) + kGap;
    return entries_.empty() ? 0 : scaled(width);
}

QSize Legend::sizeHint() const {
    const QSize button = QToolButton::sizeHint();
    return folded_ ? button : QSize(lineWidth(), button.height());
}

/// Only the button does something.
void Legend::setFolded(bool folded) {
    setFocusPolicy(folded ? Qt::TabFocus : Qt::NoFocus);
    if (folded == std::exchange(folded_, folded)) return;
    updateGeometry();
    update();
}

void Legend::changeEvent(QEvent* event) {
    QToolButton::changeEvent(event);
    if (event->type() == QEvent::FontChange) Q_EMIT changed();
}

void Legend::paintEvent(QPaintEvent* event) {
    if (folded_) return QToolButton::paintEvent(event);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(usualZoom(), usualZoom());
    QRectF place(kLegendMargin, 0, 0, height() / usualZoom());
    for (const auto& entry : entries_) {
        place.setWidth(legendEntryWidth(entry));
        paintLegendEntry(painter, entry, place, state_.options.theme);
        place.moveLeft(place.right() + kGap);
    }
}

void Legend::open() {
    if (!folded_ || entries_.empty()) return;
    auto* list = new LegendList(entries_, state_.options.theme, this);
    list->setAccessibleName(accessibleName());
    list->move(mapToGlobal(QPoint(0, -list->height())));
    list->show();
}

}  // namespace aotscope
