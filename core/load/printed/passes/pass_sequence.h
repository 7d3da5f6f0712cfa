#pragma once

#include "load/printed/log/log_index.h"
#include "load/printed/log/pass_name.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace aotscope {

/// One printed graph of a sequence: a part of an indexed file, or a whole file that was not read yet.
struct PassText {
    PassName name;
    std::filesystem::path file;
    std::shared_ptr<const LogIndex> index;  ///< null: `file` is not indexed yet
    PrintedSection section;                 ///< of `index`
};

/// Printed graphs in the order of the passes.
struct PassSequence {
    std::string id;  ///< identifies the sequence within a folder; "0" if there is only one
    std::vector<PassText> texts;
    SymbolHints hints;
};

/// The sequences of a folder, a pattern of names, or a file.
struct PassSequences {
    std::string where;  ///< as given by the user
    std::vector<PassSequence> list;
    std::vector<std::string> ids;    ///< of all compilations, including those that are not sequences
    std::vector<std::string> notes;  ///< omissions, a sentence each
};

/// The sequences of printed graphs in a folder and its subfolders, or among the files that match a pattern: those of
/// each folder in order of their names (see PassName). Does not follow links, and reads only regular .txt and .py
/// files. Throws Error if there are none.
PassSequences findSequences(const std::string& where, const Progress& progress);

/// The graphs of a file without headings, if they are one graph after several passes, with the same inputs. Empty
/// otherwise. Call before resolveUnknown().
PassSequences sequencesIn(const std::shared_ptr<const LogIndex>& index, const Progress& progress);

/// A compilation in a trace as a sequence: artifacts such as before_PASS and after_PASS. Empty if it is not one.
PassSequences sequencesIn(const std::shared_ptr<const LogIndex>& index, const PrintedCompile& compile);

/// The sequence with this id; if empty, the one with the most graphs. Throws UsageError.
const PassSequence& chooseSequence(const PassSequences& sequences, const std::string& id);

}  // namespace aotscope
