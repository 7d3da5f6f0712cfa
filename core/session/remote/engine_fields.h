#pragma once

#include "io/session/record_fields.h"
#include "remote/result_fields.h"
#include "session/engine.h"

/// The fields of what an engine says of itself.
namespace aotscope::session_format {

AOTSCOPE_FIELDS(DeviceChoice, name, help)
AOTSCOPE_FIELDS(CompilerSetting, name, standard, help, values)
AOTSCOPE_FIELDS(CompilerInfo, name, help, settings)
AOTSCOPE_FIELDS(Pace, latency, perSecond)
AOTSCOPE_FIELDS(Bandwidth, smallBytes, small, largeBytes, large)
AOTSCOPE_FIELDS(MachineModel, bytes, stridedBytes, freshBytes, matrixFlops, batchedFlops, convolutionFlops,
                convolutionBackwardFlops, attentionFlops, transcendentals, heavyFunctions, randomNumbers, reductions,
                batchNorms, windows, conversions, overhead, viewOverhead, calibrationMs, disagreement, waiting, assumed)
AOTSCOPE_FIELDS(Recalibration, machine, note)
AOTSCOPE_FIELDS(DecompositionRule, op, rule, sets)
AOTSCOPE_FIELDS(LoweredGraph, graph, became, origin, rewrites)
AOTSCOPE_FIELDS(IrLevel, name, lowered)

}  // namespace aotscope::session_format
