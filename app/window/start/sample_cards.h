#pragma once

#include "controllers/background_job.h"
#include "window/options/choice_list.h"

#include <QHash>
#include <QImage>

namespace aotscope {

/// The samples as cards: a small picture of the graph, the name, what it is, how many operations it has.
class SampleCards : public ChoiceList {
    Q_OBJECT

public:
    explicit SampleCards(QWidget* parent = nullptr);

    /// Of the joint graph of a sample; 0: it is not known.
    static int operationsOf(const QString& sample);
    /// The file with the picture of a sample.
    static QString pictureOf(const QString& sample, bool dark);
    /// Pictures are being read.
    bool busy() const { return job_.running(); }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void arrange();
    void readPictures();

    /// What the pictures were made for.
    struct Made {
        QSize size;
        qreal ratio = 1;
        bool dark = false;
        bool operator==(const Made&) const = default;
    } made_;
    BackgroundJob job_;
};

}  // namespace aotscope
