#pragma once

#include "support/scratch.h"

#include <QStringList>

#include <vector>

namespace aotscope::test {

/// A malicious file. Anything that it would write goes into its own folder.
struct HostileFile {
    QString name;                ///< unique; what the file attempts, "forward writes a file"
    QString path;                ///< opened as the model
    QStringList arguments = {};  ///< further arguments, as {"--inputs", FILE}; the window opens `path` alone
    QString sentence = {};       ///< words of the expected error; empty: it opens, without harm
};

// One function for each kind of file, each in its own source. They create their files in `scratch`.
std::vector<HostileFile> hostileSessions(const Scratch& scratch);     ///< .aotscope
std::vector<HostileFile> hostileTorchScript(const Scratch& scratch);  ///< operators, __setstate__, loops, nesting
std::vector<HostileFile> hostileLoops(const Scratch& scratch);     ///< TorchScript that never ends, or takes all memory
std::vector<HostileFile> hostileExported(const Scratch& scratch);  ///< .pt2 and printed graphs
std::vector<HostileFile> hostilePickles(const Scratch& scratch);   ///< pickles of any archive
std::vector<HostileFile> hostileBombs(const Scratch& scratch);     ///< small files that unpack to large ones; nesting
std::vector<HostileFile> hostilePlaces(const Scratch& scratch);    ///< FIFOs, devices, links, shrinking files
std::vector<HostileFile> hostilePlans(const Scratch& scratch);     ///< read by --plan
std::vector<HostileFile> hostileProfiles(const Scratch& scratch);  ///< read by --profile

/// All of them.
std::vector<HostileFile> hostileFiles(const Scratch& scratch);

/// What other commands than those for models read: `arguments` are the command.
std::vector<HostileFile> hostileRecordings(const Scratch& scratch);

}  // namespace aotscope::test
