#pragma once

#include <ATen/core/LegacyTypeDispatch.h>

namespace aotscope {

/// During its lifetime, graphs run as written: below autograd, and with no casts but their own.
class PlainKernels {
    at::AutoDispatchBelowADInplaceOrView belowAutograd_;
    c10::impl::ExcludeDispatchKeyGuard noAutocast_{c10::autocast_dispatch_keyset};
};

}  // namespace aotscope
