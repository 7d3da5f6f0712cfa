#pragma once

#include <QLabel>

namespace aotscope {

/// A line of text that shrinks: without room, its end is elided, and the tooltip has all of it.
class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent);
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    bool fits() const;
};

}  // namespace aotscope
