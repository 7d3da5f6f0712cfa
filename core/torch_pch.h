// Precompiled header of the sources that use LibTorch: its slow headers, parsed once. Headers that few sources use are
// not included: every source waits for each header's templates, for those of torch/csrc/jit as long as for all others.
#pragma once

#include <ATen/ThreadLocalState.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>
