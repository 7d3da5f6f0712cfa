#include "crash/data_folder.h"

#include "support/user_folders.h"

namespace aotscope {

std::filesystem::path dataFolder() { return userDataFolder() / "aotscope" / "aotscope"; }

}  // namespace aotscope
