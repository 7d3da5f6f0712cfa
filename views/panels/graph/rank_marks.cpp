#include "panels/graph/rank_marks.h"

#include "panels/graph/mark_picture.h"

#include <QBuffer>

namespace aotscope {

namespace {

constexpr std::size_t kMostShown = 8;

QString pictureTag(const QPixmap& picture, int side) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    picture.save(&buffer, "PNG");
    return QStringLiteral("<img src=\"data:image/png;base64,%1\" width=\"%2\" height=\"%2\">&nbsp;")
        .arg(QString::fromLatin1(bytes.toBase64()))
        .arg(side);
}

}  // namespace

void RankDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    const RankRowMark mark = markOf_(index);
    if (mark.group < 0) return;
    const int side = option->fontMetrics.ascent();
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->decorationSize = QSize(side, side);
    const QPixmap picture = markPicture(coloursOf(meaningOfGroup(mark.group), theme_.scheme), side,
                                        option->widget ? option->widget->devicePixelRatioF() : 1);
    option->icon = QIcon(picture);
    option->icon.addPixmap(picture, QIcon::Selected);  // otherwise the style tints it
}

RankLegend::RankLegend(QWidget* parent) : QLabel(parent) {
    setObjectName(QStringLiteral("rankLegend"));
    setTextFormat(Qt::RichText);
    setWordWrap(true);
    hide();
}

void RankLegend::setValue(const ShownValue& value) {
    groups_ = value.ranks.empty() ? std::vector<RankGroupText>() : rankGroups(value);
    write();
}

void RankLegend::setTheme(const Theme& theme) {
    theme_ = theme;
    write();
}

QString RankLegend::plainText() const {
    QStringList parts;
    for (const RankGroupText& group : groups_) parts << group.text;
    return parts.join(QStringLiteral("; "));
}

/// A line for each group, up to a limit.
void RankLegend::write() {
    const int side = fontMetrics().ascent();
    QStringList lines;
    for (std::size_t i = 0; i < std::min(groups_.size(), kMostShown); ++i)
        lines << pictureTag(
                     markPicture(coloursOf(meaningOfGroup(groups_[i].group), theme_.scheme), side, devicePixelRatioF()),
                     side) +
                     groups_[i].text.toHtmlEscaped();
    if (groups_.size() > kMostShown) lines << tr("%1 more values").arg(groups_.size() - kMostShown);
    setText(lines.join(QStringLiteral("<br>")));
    setAccessibleName(plainText());
    setVisible(!groups_.empty());
}

}  // namespace aotscope
