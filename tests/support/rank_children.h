#pragma once

#include "support/program.h"

#include <QByteArray>
#include <QList>
#include <QProcess>
#include <QStringList>

#include <memory>
#include <vector>

namespace aotscope::test {

/// A port of this machine without a listener.
int freePort();

/// mpirun: the program itself if installed; else child processes with the variables that it sets.
enum class Launcher { torchrun, mpirun };

/// The ranks of a run as child processes; the destructor kills all.
class RankChildren {
public:
    /// All ranks with the same arguments. A rank can be stopped only if it is the program itself.
    RankChildren(Launcher launcher, int ranks, const QStringList& arguments, const QString& program = forkedProgram());
    /// Each rank with its own; without any, it does not start.
    RankChildren(Launcher launcher, const QList<QStringList>& arguments);
    ~RankChildren();
    RankChildren(const RankChildren&) = delete;
    RankChildren& operator=(const RankChildren&) = delete;

    /// Waits until this is printed; false if all have ended without it.
    bool waitFor(const QByteArray& text);
    /// Waits until all but these have ended.
    void wait(const QList<int>& except = {});
    void sendSignal(int rank, int signal);
    void kill(int rank);

    /// Exit codes, negative for signals; a single one for mpirun.
    QList<int> codes() const;
    /// The output of all of them.
    QByteArray out() const { return out_; }
    QByteArray err() const { return err_; }
    QByteArray text() const;

private:
    void start(const QString& program, const QStringList& arguments, const QStringList& variables);
    void read();
    bool haveEnded(const QList<int>& except) const;

    std::vector<std::unique_ptr<QProcess>> children_;  ///< null: not started
    QByteArray out_, err_;
};

}  // namespace aotscope::test

Q_DECLARE_METATYPE(aotscope::test::Launcher)
