#pragma once

#include "load/flight_recorder/hang.h"
#include "record/table.h"

#include <string>

namespace aotscope {

/// Which collective hangs, why, and which ranks are to blame: a sentence for each hang, causes first.
std::string hangText(const HangReport& report);

/// What each rank does, and what it did last.
Table hangTable(const HangReport& report);

}  // namespace aotscope
