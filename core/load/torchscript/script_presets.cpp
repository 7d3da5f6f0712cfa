#include "load/torchscript/script_presets.h"

namespace aotscope {

const std::vector<ScriptPreset>& scriptPresets() {
    static const std::vector<ScriptPreset> presets = {
        {"sin().cos()",
         "The smallest joint graph. The backward needs x and x.sin(): saving x alone is enough, since the sine is "
         "cheap to compute again.",
         "def f(x):\n    return x.sin().cos()\n", "x: f32[4, 5] grad"},
        {"Mutated input",
         "The graph is functional: it returns the updated x as one more output, and the compiled function copies it "
         "into the input afterwards.",
         "def f(x, w):\n    x.mul_(2)\n    return x.mul(3) * w\n", "x: f32[4], w: f32[4] grad"},
        {"Mutated metadata",
         "Only sizes and strides of x change, not its data: the graph returns the transposed x, and the compiled "
         "function gives the input these strides.",
         "def f(x, w):\n    x.t_()\n    return x.mul(3) * w\n", "x: f32[4, 6], w: f32[4] grad"},
        {"Aliased outputs",
         "The first output is a view of an input, the others are views of an intermediate, which the graph returns as "
         "well. All three are regenerated after the graph has run.",
         "def f(x):\n    intermediate = x.mul(2)\n    return x.t(), intermediate.view(-1), intermediate.t()\n",
         "x: f32[4, 6] grad"},
        {"Synthetic base",
         "Two inputs share memory, and one is mutated: the graph gets one input instead, of which both are views.",
         "def f(x, x_view):\n    x.mul_(2)\n    return x * x_view.view(4, 6)\n", "x: f32[4, 6], x.view([24])"},
        {"Duplicate arguments",
         "The same tensor is passed twice: the graph gets it once, and a guard says that later calls must pass the "
         "same tensor twice, too.",
         "def f(a, b, w):\n    a.add_(1)\n    return a * b * w\n", "a: f32[4], a, w: f32[4] grad"},
        {"MLP of the notebook",
         "A linear layer and GELU, as in PyTorch's notebook about AOTAutograd: the forward returns gelu, and saves "
         "addmm "
         "and primals_3, the input.",
         "def mlp(weight, bias, x):\n    return torch.gelu(torch.linear(x, weight, bias))\n",
         "weight: f32[64, 32] grad, bias: f32[64] grad, x: f32[8, 32]"},
        {"Broadcast and type promotion",
         "With decompositions to prims, the conversion to f32 and the broadcast are separate operations.",
         "def f(a, b):\n    return a + b\n", "a: f32[3], b: f16[3, 3]"},
        {"Branch on data",
         "The branch that the example takes becomes the graph, and a guard rejects inputs that would take the other "
         "one.",
         "def f(x):\n    if bool(x.sum() > 0):\n        return x.sin()\n    return x.cos()\n", "x: f32[4] grad = ones"},
        {"Two functions",
         "The last function is compiled; it may call those above it. A loop over a number is unrolled.",
         "def layer(x, w):\n    return torch.relu(torch.mm(x, w))\n\n\ndef f(x, w, n: int):\n    for i in range(n):\n"
         "        x = layer(x, w)\n    return x.sum()\n",
         "x: f32[8, 16] grad, w: f32[16, 16] grad, 3"},
    };
    return presets;
}

}  // namespace aotscope
