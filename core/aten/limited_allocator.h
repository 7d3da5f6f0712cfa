#pragma once

namespace aotscope {

/// From now on, CPU tensor memory counts against the budget of the code that allocates it (ForeignRun).
void limitTensorMemory();

}  // namespace aotscope
