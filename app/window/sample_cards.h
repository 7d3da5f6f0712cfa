#pragma once

#include "window/choice_list.h"

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

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void arrange();
};

}  // namespace aotscope
