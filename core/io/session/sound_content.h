#pragma once

#include "io/session/content.h"

namespace aotscope {

/// Who shows or runs a session takes for granted what the pipeline guarantees: graphs where graphs have to be, and
/// numbers of inputs, outputs, vertices that there are. A file may hold anything: throws Error where that is not so.
void requireSound(const SessionContent& content);

}  // namespace aotscope
