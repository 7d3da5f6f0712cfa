#pragma once

#include "models/tables/table_content.h"

namespace aotscope {

/// What comparing a run with eager has found, in words and as a table.
struct CheckStory {
    enum class Verdict : std::uint8_t { none, equal, differs, notCompared } verdict = Verdict::none;
    QString reference;      ///< what was compared with: "eager"
    QString sentence;       ///< the verdict in one line; without one, what to press
    QString details;        ///< how long it took, errors and tolerances, other sizes: lines
    QString difference;     ///< the first pass and operation that differ, or that there is none; empty: nobody asked
    bool hasPlace = false;  ///< and there is a pass to show
    bool ofEarlierRun = false;  ///< it is not about the run that is shown
    TableContent values;        ///< a row for each compared value
};

/// Both may be null: nobody has asked.
CheckStory checkStory(const CompileRecord& record, const CheckResult* check, const BisectResult* bisection);
/// As it is about a run with other options than the one that is shown: its rows stand for no nodes of this one.
CheckStory ofEarlierRun(CheckStory story);

}  // namespace aotscope
