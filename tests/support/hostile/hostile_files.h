#pragma once

#include "support/scratch.h"

#include <QStringList>

#include <vector>

namespace aotscope::test {

/// A file made on purpose to do harm to whoever opens it. What it would write goes into the folder that it lies in.
struct HostileFile {
    QString name;                ///< unique: what the file tries, "forward writes a file"
    QString path;                ///< what is opened as the model
    QStringList arguments = {};  ///< what else is typed, as {"--inputs", FILE}; the window opens `path` alone
    QString sentence = {};       ///< words of the error that it must end in; empty: it opens, without harm
};

// One function for each way in, each in a file of its own. They make their files in `scratch`.
std::vector<HostileFile> hostileSessions(const Scratch& scratch);     ///< .aotscope
std::vector<HostileFile> hostileTorchScript(const Scratch& scratch);  ///< operators, __setstate__, loops, nesting
std::vector<HostileFile> hostileLoops(const Scratch& scratch);     ///< TorchScript that never ends, or takes all memory
std::vector<HostileFile> hostileExported(const Scratch& scratch);  ///< .pt2 and printed graphs
std::vector<HostileFile> hostilePickles(const Scratch& scratch);   ///< pickles of any archive
std::vector<HostileFile> hostileBombs(const Scratch& scratch);     ///< small files that unpack to large ones; nesting
std::vector<HostileFile> hostilePlaces(const Scratch& scratch);    ///< FIFOs, devices, links, shrinking files

/// All of them.
std::vector<HostileFile> hostileFiles(const Scratch& scratch);

}  // namespace aotscope::test
