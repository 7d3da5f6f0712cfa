#pragma once

namespace aotscope {

/// Registers the gradients of functional collectives, which Python has in torch/distributed/_functional_collectives.py
/// and LibTorch lacks. Call once, before any of them runs.
void registerCollectiveGradients();

}  // namespace aotscope
