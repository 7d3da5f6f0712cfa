#pragma once

namespace aotscope {

/// From now on the memory of tensors on the CPU is held against the budget of the code that makes them (ForeignRun).
void limitTensorMemory();

}  // namespace aotscope
