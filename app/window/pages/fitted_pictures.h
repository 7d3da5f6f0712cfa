#pragma once

#include "controllers/background_job.h"

#include <QSize>
#include <QTextCursor>
#include <QTextDocument>
#include <deque>

namespace aotscope {

/// Scales the pictures of a document down to the available width. Reading and scaling take long: pictures have their
/// places at once, and appear when ready.
class FittedPictures : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// From now on only those of this document, which must outlive the next call: no picture is wider than `width`, for
    /// a screen with `pixelRatio` pixels in a point.
    void fit(QTextDocument& document, int width, double pixelRatio);
    bool busy() const { return job_.running(); }

Q_SIGNALS:
    /// A picture is ready.
    void fitted();

private:
    struct Wanted {
        QString name, file;
        QSize pixels;
    };

    void place(QTextCursor cursor, int width);
    void makeNext();

    QTextDocument* document_ = nullptr;
    double pixelRatio_ = 1;
    std::deque<Wanted> wanted_;
    BackgroundJob job_;
};

}  // namespace aotscope
