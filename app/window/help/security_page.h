#pragma once

#include <QDialog>

namespace aotscope {

/// What opening and running each kind of file may do: SECURITY.md, and whether this kernel confines threads.
class SecurityPage : public QDialog {
    Q_OBJECT

public:
    explicit SecurityPage(QWidget* parent);
};

}  // namespace aotscope
