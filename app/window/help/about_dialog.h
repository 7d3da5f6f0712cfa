#pragma once

#include <QDialog>

namespace aotscope {

/// Versions, and THIRD_PARTY.md: the software that aotscope uses and its licences.
class AboutDialog : public QDialog {
    Q_OBJECT

public:
    AboutDialog(const QString& torchVersion, QWidget* parent);
};

}  // namespace aotscope
