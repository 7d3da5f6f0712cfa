#pragma once

namespace aotscope {

/// While the libraries of this program are set up, before main(), lack of memory would end it by a dump. It ends with a
/// sentence instead; from this call on, as usual.
void endOfStart();

}  // namespace aotscope
