#include "step_models.h"

#include "load/samples.h"
#include "load/torchscript/module_builder.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/api/module.h>

#include <cmath>

namespace aotscope {

namespace {

using jit = ModuleBuilder;
using torch::jit::Module;

constexpr const char* kClasses = R"(
class Convolution:
    def forward(self, x: Tensor) -> Tensor:
        x = torch.conv2d(x, self.weight, None, [self.stride, self.stride], [self.padding, self.padding], [1, 1], self.groups)
        if self.training:
            self.num_batches_tracked.add_(1)
        return torch.batch_norm(x, self.scale, self.shift, self.running_mean, self.running_var, self.training, 0.1, 1e-05, True)

class Clamp:
    def forward(self, x: Tensor) -> Tensor:
        return torch.hardtanh_(x, 0.0, 6.0)

class Residual:
    def forward(self, x: Tensor) -> Tensor:
        return x + self.body.forward(x)

class MobileNet:
    def forward(self, x: Tensor) -> Tensor:
        x = torch.flatten(torch.adaptive_avg_pool2d(self.features.forward(x), [1, 1]), 1)
        return torch.linear(x, self.weight, self.bias)

class Chain:
    def forward(self, x: Tensor) -> Tensor:
        h = x * self.w
        for i in range(6):
            h = torch.sin(h) * torch.cos(h) + torch.sigmoid(h)
        return h.sum(1)

class LayerNorm:
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return torch.layer_norm(x + y, [x.size(1)], self.weight, self.bias, 1e-05)

class Gelu:
    def forward(self, x: Tensor) -> Tensor:
        return torch.gelu(x + self.bias)

class Softmax:
    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        return torch.softmax(x * 0.125 + mask, -1)

class Numbers:
    def forward(self, x: Tensor) -> Tensor:
        for i in range(self.pairs):
            x = self.w + self.w * x
        return x
)";

class Builder {
public:
    Builder() { modules.addSource("bench.py", kClasses); }

    at::Tensor random(at::IntArrayRef sizes, double deviation) {
        return at::empty(sizes).normal_(0, deviation, generator_).set_requires_grad(true);
    }

    /// With batch norm.
    Module convolution(int64_t in, int64_t out, int64_t kernel, int64_t stride, int64_t groups) {
        const int64_t fanOut = out / groups * kernel * kernel;
        const double deviation = std::sqrt(2.0 / static_cast<double>(fanOut));
        return modules.make("Convolution",
                            {jit::parameter("weight", random({out, in / groups, kernel, kernel}, deviation)),
                             jit::parameter("scale", at::ones({out}).set_requires_grad(true)),
                             jit::parameter("shift", at::zeros({out}).set_requires_grad(true)),
                             jit::buffer("running_mean", at::zeros({out})), jit::buffer("running_var", at::ones({out})),
                             jit::buffer("num_batches_tracked", at::zeros({}, at::kLong)), jit::plain("stride", stride),
                             jit::plain("padding", kernel / 2), jit::plain("groups", groups)});
    }

    Module invertedResidual(int64_t in, int64_t out, int64_t stride, int64_t expansion) {
        const int64_t width = in * expansion;
        std::vector<Module> layers;
        if (expansion != 1) layers = {convolution(in, width, 1, 1, 1), clamp()};
        layers.insert(layers.end(), {convolution(width, width, 3, stride, width), clamp()});
        layers.push_back(convolution(width, out, 1, 1, 1));
        const Module body = modules.sequential(layers);
        return stride == 1 && in == out ? modules.make("Residual", {jit::module("body", body)}) : body;
    }

    Module clamp() { return modules.make("Clamp", {}); }

    ModuleBuilder modules;

private:
    at::Generator generator_ = at::detail::createCPUGenerator(20240229);
};

/// MobileNetV2: Inverted Residuals and Linear Bottlenecks, Sandler et al., 2018 (arXiv 1801.04381), table 2.
Module mobilenet() {
    struct Stage {
        int64_t expansion, channels, count, stride;
    };
    Builder b;
    std::vector<Module> layers = {b.convolution(3, 32, 3, 2, 1), b.clamp()};
    int64_t in = 32;
    for (const Stage& s : {Stage{1, 16, 1, 1}, Stage{6, 24, 2, 2}, Stage{6, 32, 3, 2}, Stage{6, 64, 4, 2},
                           Stage{6, 96, 3, 1}, Stage{6, 160, 3, 2}, Stage{6, 320, 1, 1}})
        for (int64_t i = 0; i < s.count; ++i, in = s.channels)
            layers.push_back(b.invertedResidual(in, s.channels, i == 0 ? s.stride : 1, s.expansion));
    layers.insert(layers.end(), {b.convolution(in, 1280, 1, 1, 1), b.clamp()});
    return b.modules.make("MobileNet", {jit::module("features", b.modules.sequential(layers)),
                                        jit::parameter("weight", b.random({1000, 1280}, 0.01)),
                                        jit::parameter("bias", at::zeros({1000}).set_requires_grad(true))});
}

Module chain() {
    Builder b;
    return b.modules.make("Chain", {jit::parameter("w", b.random({64}, 1))});
}

Module layerNorm() {
    Builder b;
    return b.modules.make("LayerNorm", {jit::parameter("weight", at::ones({768}).set_requires_grad(true)),
                                        jit::parameter("bias", at::zeros({768}).set_requires_grad(true))});
}

Module gelu() {
    Builder b;
    return b.modules.make("Gelu", {jit::parameter("bias", b.random({3072}, 1))});
}

Module softmax() { return Builder().modules.make("Softmax", {}); }

struct Own {
    const char* name;
    const char* inputs;
    Module (*build)();
};

constexpr std::array kOwn = {
    Own{"mobilenet", R"([{"shape":[8,3,64,64]}])", mobilenet},
    Own{"chain", R"([{"shape":[128,64]}])", chain},
    Own{"layer-norm", R"([{"shape":[512,768],"requires_grad":true},{"shape":[512,768],"requires_grad":true}])",
        layerNorm},
    Own{"gelu", R"([{"shape":[512,3072],"requires_grad":true}])", gelu},
    Own{"softmax", R"([{"shape":[4,12,128,128],"requires_grad":true},{"shape":[4,1,1,128]}])", softmax},
};

Model modelOf(const std::string& name, const Module& module, const std::string& inputs) {
    Model model;
    model.name = name;
    model.path = "bench:" + name;
    model.kind = "benchmark";
    model.sampleSpec = parseInputSpec(inputs, "'" + name + "'");
    model.program = programOf(module, ModuleMode::train);
    return model;
}

}  // namespace

Model stepModel(const std::string& name) {
    for (const Own& own : kOwn)
        if (own.name == name) return modelOf(name, own.build(), own.inputs);
    return loadModel("sample:" + name, ModuleMode::train);
}

Model chainOfNumbers(int length) {
    Builder b;
    const auto pairs = static_cast<int64_t>(length / 2);
    return modelOf("numbers",
                   b.modules.make("Numbers", {jit::parameter("w", at::full({1}, 0.5)), jit::plain("pairs", pairs)}),
                   R"([{"shape":[1]}])");
}

}  // namespace aotscope
