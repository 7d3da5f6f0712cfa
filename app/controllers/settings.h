#pragma once

#include "record/options/compiler_choice.h"
#include "support/limits.h"

#include <QByteArray>
#include <QSettings>
#include <QSize>
#include <QStringList>

#include <vector>

namespace aotscope {

/// The docks of a perspective.
struct Arrangement {
    QString perspective;  ///< by its name; empty in settings of earlier versions
    QByteArray docks;     ///< QMainWindow::saveState()
    QSize window = {};    ///< its size; invalid in settings of earlier versions
};

/// What the program remembers between runs.
class Settings {
public:
    enum class Appearance { system, light, dark };

    QStringList recentModels() const;
    void addRecentModel(const QString& model);
    void clearRecentModels();

    /// Machines whose models were opened, as typed.
    QStringList remoteHosts() const { return store_.value("files/remoteHosts").toStringList(); }
    void addRemoteHost(const QString& host);

    QByteArray windowGeometry() const { return store_.value("window/geometry").toByteArray(); }
    void setWindowGeometry(const QByteArray& geometry) { store_.setValue("window/geometry", geometry); }
    /// One for each perspective whose docks the user has arranged.
    std::vector<Arrangement> arrangements() const;
    /// The current perspective by its name; empty if none was remembered.
    QString perspective() const { return store_.value("window/perspective").toString(); }
    void setArrangements(const QString& perspective, const std::vector<Arrangement>& all);

    /// Arrangements named by the user.
    QStringList layoutNames() const;
    Arrangement layout(const QString& name) const;
    void setLayout(const QString& name, const Arrangement& layout);
    void removeLayout(const QString& name);

    /// The sizes of a divided page, by the name of its splitter; empty: never moved.
    QByteArray splitter(const QString& name) const {
        return store_.value(QStringLiteral("splitters/%1").arg(name)).toByteArray();
    }
    void setSplitter(const QString& name, const QByteArray& state) {
        store_.setValue(QStringLiteral("splitters/%1").arg(name), state);
    }

    /// The columns of a table that are not shown, by their titles; `table`: the name of the widget.
    QStringList hiddenColumns(const QString& table) const {
        return store_.value(QStringLiteral("columns/%1").arg(table)).toStringList();
    }
    void setHiddenColumns(const QString& table, const QStringList& titles) {
        store_.setValue(QStringLiteral("columns/%1").arg(table), titles);
    }

    static constexpr int kSmallestText = 70, kLargestText = 250;
    /// The size of text in percent of the system's font, between these.
    int textSize() const;
    void setTextSize(int percent);
    Appearance appearance() const;
    void setAppearance(Appearance appearance);
    /// Whether to use colours that colour-blind people can tell apart.
    bool colourBlind() const { return store_.value("window/colourBlind", false).toBool(); }
    void setColourBlind(bool colourBlind) { store_.setValue("window/colourBlind", colourBlind); }

    /// The colour mode of the canvas, by its name; empty: not chosen yet.
    QString colourBy() const { return store_.value("window/colourBy").toString(); }
    void setColourBy(const QString& name) { store_.setValue("window/colourBy", name); }

    /// Whether the list of passes hides those that changed nothing.
    bool hideIdlePasses() const { return store_.value("passes/hideIdle", false).toBool(); }
    void setHideIdlePasses(bool hide) { store_.setValue("passes/hideIdle", hide); }
    /// Whether two graphs side by side are moved together.
    bool linkedCameras() const { return store_.value("window/linkedCameras", true).toBool(); }
    void setLinkedCameras(bool linked) { store_.setValue("window/linkedCameras", linked); }
    bool minimap() const { return store_.value("window/minimap", true).toBool(); }
    void setMinimap(bool shown) { store_.setValue("window/minimap", shown); }
    /// Whether modules open and close automatically.
    bool automaticModules() const { return store_.value("window/automaticModules", true).toBool(); }
    void setAutomaticModules(bool automatic) { store_.setValue("window/automaticModules", automatic); }

    /// The sections of the inspector that are closed, by name.
    QStringList closedSections() const { return store_.value("inspector/closed").toStringList(); }
    void setClosedSections(const QStringList& names) { store_.setValue("inspector/closed", names); }

    /// Whether mutated inputs are written back inside the graph.
    bool keepInputMutations() const { return store_.value("options/keepInputMutations", false).toBool(); }
    void setKeepInputMutations(bool keep) { store_.setValue("options/keepInputMutations", keep); }

    /// The compilers of the graphs, and the plug-ins that add compilers.
    CompilerChoice compilers() const;
    void setCompilers(const CompilerChoice& choice);

    /// Whether to recompile a model when its file changes.
    bool reload() const { return store_.value("files/reload", true).toBool(); }
    void setReload(bool reload) { store_.setValue("files/reload", reload); }

    /// The latest crash report that was shown, by the name of its file.
    QString lastCrashSeen() const { return store_.value("crashes/seen").toString(); }
    void setLastCrashSeen(const QString& name) { store_.setValue("crashes/seen", name); }

    /// Whether the tour of the window has been shown.
    bool tourSeen() const { return store_.value("window/tourSeen", false).toBool(); }
    void setTourSeen() { store_.setValue("window/tourSeen", true); }
    /// The lessons that were played to their end, by name.
    QStringList lessonsDone() const { return store_.value("window/lessonsDone").toStringList(); }
    void setLessonDone(const QString& name);

    /// Where a file was opened last.
    QString lastFolder() const { return store_.value("files/folder").toString(); }
    void setLastFolder(const QString& folder) { store_.setValue("files/folder", folder); }
    /// Where a file was saved last; else where one was opened.
    QString saveFolder() const { return store_.value("files/saveFolder", lastFolder()).toString(); }
    void setSaveFolder(const QString& folder) { store_.setValue("files/saveFolder", folder); }

    /// The input spec last used with a model, as JSON; empty if none.
    QByteArray inputSpec(const QString& model) const;
    void setInputSpec(const QString& model, const QByteArray& json);

    /// Shared libraries whose operators models may use.
    QStringList libraries() const { return store_.value("files/libraries").toStringList(); }
    void setLibraries(const QStringList& libraries) { store_.setValue("files/libraries", libraries); }

    /// The hash of the content of `file` when its user allowed `what`; empty: not allowed.
    QByteArray consent(const QString& what, const QString& file) const;
    void setConsent(const QString& what, const QString& file, const QByteArray& hash);
    /// Limits for loading and tracing a model.
    Limits limits() const {
        return {store_.value("limits/seconds").toDouble(), store_.value("limits/bytes").toLongLong()};
    }
    void setLimits(const Limits& limits);

    /// Writes changes; otherwise the destructor does.
    void write() { store_.sync(); }

private:
    QSettings store_;
};

}  // namespace aotscope
