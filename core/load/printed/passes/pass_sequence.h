#pragma once

#include "load/printed/log/log_index.h"
#include "load/printed/log/pass_name.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// One printed graph of a sequence: a part of a file whose graphs are known, or a whole file that was not read yet.
struct PassText {
    PassName name;
    std::filesystem::path file;
    std::shared_ptr<const LogIndex> index;  ///< null: the graphs of `file` are not known yet
    PrintedSection section;                 ///< of `index`
};

/// Printed graphs in the order in which passes left them.
struct PassSequence {
    std::string id;  ///< distinguishes the sequences of a folder; "0" if there is only one
    std::vector<PassText> texts;
    SymbolHints hints;
};

/// The sequences of a folder, a pattern of names, or a file.
struct PassSequences {
    std::string where;  ///< as it was given
    std::vector<PassSequence> list;
    std::vector<std::string> ids;    ///< of all compilations there, also of those that are no sequences
    std::vector<std::string> notes;  ///< what was left out, a sentence each
};

/// The sequences of printed graphs in a folder and the folders in it, or among the files that a pattern names: those
/// of each folder in the order of their names (see PassName). Links are not followed, and nothing but regular files
/// named .txt or .py is read. Throws Error if there are none.
PassSequences findSequences(const std::string& where, const Progress& progress);

/// The graphs of a file that has no headings, if they are one graph after several passes: they have the same inputs.
/// Empty otherwise. Call it before resolveUnknown().
PassSequences sequencesIn(const std::shared_ptr<const LogIndex>& index, const Progress& progress);

/// The sequence that a compilation in a trace is: artifacts such as before_PASS and after_PASS. Empty if it is none.
PassSequences sequencesIn(const std::shared_ptr<const LogIndex>& index, const PrintedCompile& compile);

/// The sequence with this id; if empty, the one with the most graphs. Throws UsageError.
const PassSequence& chooseSequence(const PassSequences& sequences, const std::string& id);

}  // namespace aotscope
