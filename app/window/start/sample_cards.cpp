#include "window/start/sample_cards.h"

#include "load/sample_list.h"
#include "models/words/to_qstring.h"
#include "support/names.h"

#include <QEvent>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTextLayout>

static void loadPictures() { Q_INIT_RESOURCE(pictures); }  // not possible within a namespace

namespace aotscope {

namespace {

enum CardRole { HelpRole = Qt::UserRole + 1, OperationsRole };

constexpr int kNarrowestCard = 208, kWidestCard = 320;  ///< a card with the gap around it
constexpr int kCardGap = 6, kCardPadding = 8, kHelpLines = 2;
constexpr double kCardRadius = 6;
constexpr float kFaintText = 0.72F;  ///< opacity of smaller text

QFont boldCardFont(QFont font) {
    font.setBold(true);
    return font;
}

/// At most so many lines; the last one is elided.
void drawLines(QPainter& painter, const QRectF& place, const QString& text, int most) {
    const QFontMetricsF metrics(painter.font());
    QTextLayout layout(text, painter.font());
    QTextOption wrapping;
    wrapping.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(wrapping);
    layout.beginLayout();
    qreal y = place.top();
    for (int number = 1; number <= most; ++number, y += metrics.lineSpacing()) {
        QTextLine line = layout.createLine();
        if (!line.isValid()) break;
        line.setLineWidth(place.width());
        const bool last = number == most;
        const QString shown = last ? metrics.elidedText(text.mid(line.textStart()), Qt::ElideRight, place.width())
                                   : text.mid(line.textStart(), line.textLength()).trimmed();
        painter.drawText(QPointF(place.left(), y + metrics.ascent()), shown);
    }
    layout.endLayout();
}

class CardDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    static int pictureHeight(int cardWidth) { return (cardWidth - 2 * kCardGap) * 15 / 32; }
    static int heightOf(int cardWidth, const QFontMetrics& metrics) {
        return pictureHeight(cardWidth) + (2 + kHelpLines) * metrics.lineSpacing() + 3 * kCardPadding + 2 * kCardGap;
    }
    /// By sample. Empty places until they are ready.
    void setPictures(QHash<QString, QPixmap> pictures) { pictures_ = std::move(pictures); }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& /*index*/) const override {
        return static_cast<const QListView*>(option.widget)->gridSize();
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const QRectF card = QRectF(option.rect).adjusted(kCardGap, kCardGap, -kCardGap, -kCardGap);
        QPainterPath outline;
        outline.addRoundedRect(card, kCardRadius, kCardRadius);
        painter->fillPath(outline, option.palette.base());
        const QRectF picture(card.topLeft(), QSizeF(card.width(), pictureHeight(option.rect.width())));
        painter->setClipPath(outline);
        drawPicture(*painter, picture, pictures_.value(index.data().toString()));
        painter->setClipping(false);
        const bool focus = option.state.testFlag(QStyle::State_HasFocus);
        const bool pointed = option.state.testFlag(QStyle::State_MouseOver);
        painter->setPen(
            QPen(option.palette.color(focus || pointed ? QPalette::Highlight : QPalette::Mid), focus ? 2.5 : 1));
        painter->drawPath(outline);
        drawTexts(*painter, option, index,
                  card.adjusted(kCardPadding, picture.height() + kCardPadding, -kCardPadding, -kCardPadding));
        painter->restore();
    }

private:
    /// As wide as the card, even when made for another width; cut off below if too high.
    static void drawPicture(QPainter& painter, const QRectF& place, const QPixmap& picture) {
        if (picture.isNull()) return;
        const QSizeF size = picture.deviceIndependentSize();
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        painter.drawPixmap(QRectF(place.topLeft(), size * (place.width() / size.width())), picture, picture.rect());
    }

    static void drawTexts(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                          const QRectF& place) {
        const qreal line = option.fontMetrics.lineSpacing();
        QColor colour = option.palette.color(QPalette::Text);
        painter.setPen(colour);
        painter.setFont(boldCardFont(option.font));
        drawLines(painter, place, index.data().toString(), 1);
        painter.setFont(option.font);
        drawLines(painter, place.adjusted(0, line + kCardPadding / 2.0, 0, 0), index.data(HelpRole).toString(),
                  kHelpLines);
        colour.setAlphaF(kFaintText);
        painter.setPen(colour);
        drawLines(painter, place.adjusted(0, (1 + kHelpLines) * line + kCardPadding, 0, 0),
                  index.data(OperationsRole).toString(), 1);
    }

    QHash<QString, QPixmap> pictures_;  ///< by sample
};

}  // namespace

SampleCards::SampleCards(QWidget* parent) : ChoiceList(parent) {
    setObjectName(QStringLiteral("samples"));
    setAccessibleName(tr("Samples"));
    setViewMode(QListView::IconMode);
    setMovement(QListView::Static);
    setResizeMode(QListView::Adjust);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setItemDelegate(new CardDelegate(this));
    for (const SampleInfo& sample : sampleList()) {
        const QString name = toQString(sample.name), help = toQString(sample.help);
        const int operations = operationsOf(name);
        const QString count =
            operations > 0 ? toQString(counted(static_cast<std::size_t>(operations), "operation")) : QString();
        QListWidgetItem* item = add(name, QStringLiteral("sample:") + name, help);
        item->setData(HelpRole, help);
        item->setData(OperationsRole, count);
        item->setData(Qt::AccessibleTextRole,
                      QString(name + QStringLiteral(": ") + help + QStringLiteral(", ") + count));
    }
}

int SampleCards::operationsOf(const QString& sample) {
    static const QJsonObject counts = [] {
        loadPictures();
        QFile file(QStringLiteral(":/pictures/samples.json"));
        return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
    }();
    return counts.value(sample).toInt();
}

QString SampleCards::pictureOf(const QString& sample, bool dark) {
    return QStringLiteral(":/pictures/%1-%2.png").arg(sample, QLatin1String(dark ? "dark" : "light"));
}

/// As many columns of equal width as fit. Lists reserve room for a scroll bar.
void SampleCards::arrange() {
    const int width = maximumViewportSize().width() - verticalScrollBar()->sizeHint().width();
    const int columns = std::clamp(width / kNarrowestCard, 1, count());
    const int card = std::min(std::max(width / columns - 1, 1), kWidestCard);
    setGridSize({card, CardDelegate::heightOf(card, fontMetrics())});
    readPictures();
}

/// Reading and scaling all of them would delay the page too long.
void SampleCards::readPictures() {
    const QSize card(gridSize().width() - 2 * kCardGap, CardDelegate::pictureHeight(gridSize().width()));
    const Made made{card, devicePixelRatioF(), palette().color(QPalette::Base).lightness() < 128};
    if (made == made_) return;
    auto* cards = static_cast<CardDelegate*>(itemDelegate());
    if (made.dark != made_.dark) cards->setPictures({});
    made_ = made;
    QStringList names;
    for (int row = 0; row < count(); ++row) names << item(row)->text();
    job_.start<QHash<QString, QImage>>(
        tr("Reading pictures"),
        [names, made](const Progress& progress) {
            QHash<QString, QImage> pictures;
            for (const QString& name : names) {
                progress.throwIfCancelled();
                const QImage image(pictureOf(name, made.dark));
                if (!image.isNull())
                    pictures[name] =
                        image.scaled(made.size * made.ratio, Qt::KeepAspectRatioByExpanding, Qt::SmoothTransformation);
            }
            return pictures;
        },
        [this, cards, ratio = made.ratio](const QHash<QString, QImage>& images) {
            QHash<QString, QPixmap> pictures;
            for (auto image = images.begin(); image != images.end(); ++image) {
                QPixmap& picture = pictures[image.key()] = QPixmap::fromImage(*image);
                picture.setDevicePixelRatio(ratio);
            }
            cards->setPictures(std::move(pictures));
            viewport()->update();
        });
}

void SampleCards::resizeEvent(QResizeEvent* event) {
    arrange();
    ChoiceList::resizeEvent(event);
}

void SampleCards::changeEvent(QEvent* event) {
    ChoiceList::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) arrange();
}

}  // namespace aotscope
