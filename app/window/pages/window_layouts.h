#pragma once

#include "window/pages/perspectives.h"

#include <QMenu>

namespace aotscope {

/// A menu of arrangements named by the user.
class WindowLayouts : public QObject {
    Q_OBJECT

public:
    WindowLayouts(QMainWindow* window, Perspectives* perspectives, Settings& settings);

    QMenu* menu() const { return menu_; }
    void save(const QString& name);
    void remove(const QString& name);
    /// An empty name: the default, of every perspective.
    void apply(const QString& name);

private:
    void refresh();
    void askForName();

    QMainWindow* window_;
    Perspectives* perspectives_;
    Settings& settings_;
    QMenu* menu_;
};

}  // namespace aotscope
