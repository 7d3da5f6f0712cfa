#pragma once

#include <ATen/core/LegacyTypeDispatch.h>

namespace aotscope {

/// As long as it lives, graphs run as they are written: below autograd, and with no casts but their own.
class PlainKernels {
    at::AutoDispatchBelowADInplaceOrView belowAutograd_;
    c10::impl::ExcludeDispatchKeyGuard noAutocast_{c10::autocast_dispatch_keyset};
};

}  // namespace aotscope
