#pragma once

namespace aotscope {

/// From now on, counts CPU tensor memory against the budget of the code that allocates it (ForeignRun).
void limitTensorMemory();

}  // namespace aotscope
