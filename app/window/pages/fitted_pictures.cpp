#include "window/pages/fitted_pictures.h"

#include <QImageReader>
#include <QTextBlock>
#include <QTextCursor>
#include <algorithm>
#include <vector>

namespace aotscope {

namespace {

/// Property of a picture's format: the file it was scaled from.
constexpr int kFile = QTextFormat::UserProperty;

/// A selection of each picture.
std::vector<QTextCursor> picturesIn(QTextDocument& document) {
    std::vector<QTextCursor> pictures;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto part = block.begin(); !part.atEnd(); ++part) {
            if (!part.fragment().charFormat().isImageFormat()) continue;
            QTextCursor& cursor = pictures.emplace_back(block);
            cursor.setPosition(part.fragment().position());
            cursor.setPosition(part.fragment().position() + part.fragment().length(), QTextCursor::KeepAnchor);
        }
    return pictures;
}

/// QTextDocument drops pixels when it scales: lines and letters break.
QImage scaledPicture(const QString& file, QSize pixels, double pixelRatio) {
    QImage picture = QImage(file).scaled(pixels, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    picture.setDevicePixelRatio(pixelRatio);
    return picture;
}

}  // namespace

void FittedPictures::fit(QTextDocument& document, int width, double pixelRatio) {
    job_.cancel();
    wanted_.clear();
    document_ = &document;
    pixelRatio_ = pixelRatio;
    if (width < 1) return;
    for (const QTextCursor& picture : picturesIn(document)) place(picture, width);
    makeNext();
}

/// A picture in another size is shown scaled until it is ready.
void FittedPictures::place(QTextCursor cursor, int width) {
    QTextImageFormat format = cursor.charFormat().toImageFormat();
    const bool fittedBefore = format.hasProperty(kFile);
    const QString file = fittedBefore ? format.stringProperty(kFile) : format.name();
    const QSize size = QImageReader(file).size();
    if (size.isEmpty()) return;
    const QSize shown = size.scaled(std::min(size.width(), width), size.height(), Qt::KeepAspectRatio);
    const QString name = QStringLiteral("fitted") + file;
    const QSize pixels = shown * pixelRatio_;
    if (!fittedBefore) {
        QImage none(1, 1, QImage::Format_ARGB32_Premultiplied);
        none.fill(Qt::transparent);
        document_->addResource(QTextDocument::ImageResource, QUrl(name), none);
    }
    if (document_->resource(QTextDocument::ImageResource, QUrl(name)).value<QImage>().size() != pixels)
        wanted_.push_back({name, file, pixels});
    if (fittedBefore && QSizeF(format.width(), format.height()) == QSizeF(shown)) return;
    format.setName(name);
    format.setProperty(kFile, file);
    format.setWidth(shown.width());
    format.setHeight(shown.height());
    cursor.setCharFormat(format);
}

void FittedPictures::makeNext() {
    if (wanted_.empty()) return;
    const Wanted next = wanted_.front();
    wanted_.pop_front();
    job_.start<QImage>(
        tr("Scaling a picture"),
        [next, ratio = pixelRatio_](const Progress&) { return scaledPicture(next.file, next.pixels, ratio); },
        [this, name = next.name](const QImage& picture) {
            document_->addResource(QTextDocument::ImageResource, QUrl(name), picture);
            makeNext();
            Q_EMIT fitted();
        });
}

}  // namespace aotscope
