#pragma once

namespace aotscope {

int runCommandLine(int argc, char** argv);

}  // namespace aotscope
