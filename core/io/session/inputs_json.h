#pragma once

#include "io/session/graph_table.h"
#include "record/options/options.h"

namespace aotscope::session_format {

/// The source of example inputs, an option without fields of its own: {"spec": ...}, {"file": ...} or null. Reading
/// throws Error.
json inputsJson(const InputSource& inputs);
InputSource inputsFrom(const json& inputs);

}  // namespace aotscope::session_format
