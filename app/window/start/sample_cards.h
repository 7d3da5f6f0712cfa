#pragma once

#include "controllers/background_job.h"
#include "window/options/choice_list.h"

#include <QHash>
#include <QImage>

namespace aotscope {

/// The samples as cards: a small picture of the graph, name, description, and number of operations.
class SampleCards : public ChoiceList {
    Q_OBJECT

public:
    explicit SampleCards(QWidget* parent = nullptr);

    /// Operations in the joint graph of a sample; 0: unknown.
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

    /// Size for which the pictures were made.
    struct Made {
        QSize size;
        qreal ratio = 1;
        bool dark = false;
        bool operator==(const Made&) const = default;
    } made_;
    BackgroundJob job_;
};

}  // namespace aotscope
