// Precompiled header of the sources that use LibTorch: its slow headers, parsed once. What only a few of them use is
// not here: each header makes every source wait for its templates, those of torch/csrc/jit for as long as all others.
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
