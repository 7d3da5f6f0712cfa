#pragma once

#include "load/flight_recorder/flight_dump.h"

#include <string_view>
#include <vector>

namespace aotscope {

/// Whether these first bytes of a file are those of a flight recorder's dump, as a pickle or as JSON.
bool looksLikeFlightDump(std::string_view beginning);

/// Reads the dump of a rank; nothing in it is executed. Throws Error (a clause that continues the name of the file) for
/// anything else, and beyond bounds.
FlightDump readFlightDump(std::string_view content, int rank);

/// The dumps in these files and folders, by rank. In folders, other files are skipped. Throws Error for a file that is
/// not a dump, whose name does not say its rank, or of a rank that there is already, and if there is no dump at all.
std::vector<FlightDump> readFlightDumps(const std::vector<std::filesystem::path>& places);

}  // namespace aotscope
