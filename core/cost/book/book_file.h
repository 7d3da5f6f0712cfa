#pragma once

#include "cost/book/operator_book.h"
#include "cost/calibration_file.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace aotscope {

/// Where the book of a machine is kept, beside its calibration: one file for all numbers of threads.
std::filesystem::path bookFile(CalibratedMachine machine);

/// A book as text: a line for the version, one for the machine, and one for each entry, its numbers separated by tabs.
std::string bookText(const OperatorBook& book, const CalibratedMachine& machine);

/// What was found in a file.
struct KeptBook {
    OperatorBook book;
    std::string note;  ///< what of the file is ignored, and why, as a sentence; empty: nothing
};

/// Reads `text`, which is not trusted: lines that say nothing possible are ignored. Throws Error, a clause, if it is no
/// book, or that of another version or machine.
KeptBook bookIn(std::string_view text, const CalibratedMachine& machine);

/// The book in `file`; an empty one if the file is missing. Never throws.
KeptBook readBook(const std::filesystem::path& file, const CalibratedMachine& machine);

/// Adds `news` to the file, whatever other processes add meanwhile. Returns what is in it now. Without the file, if it
/// cannot be written: it only saves time.
OperatorBook addToBook(const std::filesystem::path& file, const CalibratedMachine& machine, const OperatorBook& news);

}  // namespace aotscope
