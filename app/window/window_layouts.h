#pragma once

#include "controllers/settings.h"

#include <QMainWindow>
#include <QMenu>

namespace aotscope {

/// Arrangements of the docks that a person has named, as a menu.
class WindowLayouts : public QObject {
    Q_OBJECT

public:
    /// Call when the window is complete and nothing has been restored yet: as it is now is the default.
    WindowLayouts(QMainWindow* window, Settings& settings);

    QMenu* menu() const { return menu_; }
    void save(const QString& name);
    void remove(const QString& name);
    /// An empty name: the default.
    void apply(const QString& name);

private:
    void refresh();
    void askForName();

    QMainWindow* window_;
    Settings& settings_;
    QByteArray default_;
    QMenu* menu_;
};

}  // namespace aotscope
