#pragma once

#include "models/tables/table_content.h"

namespace aotscope {

/// The result of comparing a run with eager, in words and as a table.
struct CheckStory {
    enum class Verdict : std::uint8_t { none, equal, differs, notCompared } verdict = Verdict::none;
    QString reference;          ///< what was compared with: "eager"
    QString sentence;           ///< the verdict in one line; without one, what to press
    QString details;            ///< duration, errors and tolerances, other sizes: lines
    QString difference;         ///< the first pass and operation that differ, or that none does; empty: not bisected
    bool hasPlace = false;      ///< and there is a pass to show
    bool ofEarlierRun = false;  ///< it is not about the shown run
    TableContent values;        ///< a row for each compared value
};

/// Both may be null: not checked.
CheckStory checkStory(const CompileRecord& record, const CheckResult* check, const BisectResult* bisection);
/// For a run with other options than the shown one: its rows stand for no nodes of this one.
CheckStory ofEarlierRun(CheckStory story);

}  // namespace aotscope
