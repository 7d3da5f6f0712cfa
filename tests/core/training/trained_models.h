// Narrow models with the layers of the samples, for training tests.
#pragma once

#include "load/sample_texts.h"
#include "support/models.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/api/module.h>

#include <cmath>

namespace aotscope::test {

using Build = ModuleBuilder;

/// Models with the layers of the samples, but narrow, and with dropout.
inline constexpr const char* kModels = R"(
class DropoutResNet:
    def forward(self, x: Tensor) -> Tensor:
        x = torch.relu_(self.bn1.forward(self.conv1.forward(x)))
        x = self.layer4.forward(self.layer3.forward(self.layer2.forward(self.layer1.forward(x))))
        x = torch.flatten(torch.adaptive_avg_pool2d(x, [1, 1]), 1)
        return self.fc.forward(self.drop.forward(x))

class TiedHead:
    def forward(self, x: Tensor) -> Tensor:
        return torch.linear(x, self.weight)

class TiedGPT:
    def forward(self, tokens: Tensor) -> Tensor:
        positions = torch.arange(0, tokens.size(1), device=tokens.device)
        x = self.wte.forward(tokens) + self.wpe.forward(positions)
        x = self.ln_f.forward(self.blocks.forward(self.drop.forward(x)))
        return self.head.forward(x)
)";

class Layers {
public:
    Layers() {
        for (const auto& [file, text] : sampleTexts()) modules.addSource(file, text);
        modules.addSource("training.py", kModels);
    }

    ModuleBuilder modules;

    at::Tensor normal(at::IntArrayRef sizes, double deviation) {
        return at::empty(sizes).normal_(0, deviation, generator_).set_requires_grad(true);
    }
    static at::Tensor ones(std::int64_t size) { return at::ones({size}).set_requires_grad(true); }
    static at::Tensor zeros(std::int64_t size) { return at::zeros({size}).set_requires_grad(true); }

    torch::jit::Module linear(std::int64_t in, std::int64_t out) {
        return modules.make("Linear",
                            {Build::parameter("weight", normal({out, in}, 1 / std::sqrt(static_cast<double>(in)))),
                             Build::parameter("bias", zeros(out))});
    }
    torch::jit::Module convolution(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride) {
        const double deviation = std::sqrt(2.0 / static_cast<double>(out * kernel * kernel));
        return modules.make("Conv2d", {Build::parameter("weight", normal({out, in, kernel, kernel}, deviation)),
                                       Build::plain("stride", stride), Build::plain("padding", kernel / 2)});
    }
    torch::jit::Module batchNorm(std::int64_t channels) {
        return modules.make(
            "BatchNorm2d",
            {Build::parameter("weight", ones(channels)), Build::parameter("bias", zeros(channels)),
             Build::buffer("running_mean", at::zeros({channels})), Build::buffer("running_var", at::ones({channels})),
             Build::buffer("num_batches_tracked", at::zeros({}, at::kLong))});
    }
    torch::jit::Module layerNorm(std::int64_t size) {
        return modules.make("LayerNorm", {Build::parameter("weight", ones(size)), Build::parameter("bias", zeros(size)),
                                          Build::plain("size", size), Build::plain("eps", 1e-5)});
    }
    torch::jit::Module dropout() { return modules.make("Dropout", {Build::plain("p", 0.2)}); }

    torch::jit::Module block(std::int64_t in, std::int64_t out) {
        const std::int64_t stride = in == out ? 1 : 2;
        std::vector<Build::Attribute> attributes = {
            Build::module("conv1", convolution(in, out, 3, stride)), Build::module("bn1", batchNorm(out)),
            Build::module("conv2", convolution(out, out, 3, 1)), Build::module("bn2", batchNorm(out))};
        if (in == out) return modules.make("BasicBlock", std::move(attributes));
        attributes.push_back(
            Build::module("downsample", modules.sequential({convolution(in, out, 1, stride), batchNorm(out)})));
        return modules.make("BasicBlockDown", std::move(attributes));
    }

private:
    at::Generator generator_ = at::detail::createCPUGenerator(7);
};

/// ResNet-18: four stages of two blocks.
inline torch::jit::Module resnet() {
    Layers l;
    std::vector<Build::Attribute> attributes = {Build::module("conv1", l.convolution(3, 8, 3, 1)),
                                                Build::module("bn1", l.batchNorm(8))};
    std::int64_t in = 8;
    for (int stage = 1; stage <= 4; ++stage) {
        const std::int64_t out = stage == 1 ? in : 2 * in;
        attributes.push_back(Build::module("layer" + std::to_string(stage),
                                           l.modules.sequential({l.block(in, out), l.block(out, out)})));
        in = out;
    }
    attributes.push_back(Build::module("drop", l.dropout()));
    attributes.push_back(Build::module("fc", l.linear(in, 10)));
    return l.modules.make("DropoutResNet", std::move(attributes));
}

/// The embedding's weight is registered a second time as the weight of the last layer.
inline torch::jit::Module tiedGpt() {
    constexpr std::int64_t width = 32, vocabulary = 64, positions = 16;
    Layers l;
    const at::Tensor weight = l.normal({vocabulary, width}, 0.1);
    const auto wte = l.modules.make("Embedding", {Build::parameter("weight", weight)});
    const auto wpe = l.modules.make("Embedding", {Build::parameter("weight", l.normal({positions, width}, 0.1))});
    std::vector<torch::jit::Module> blocks;
    for (int i = 0; i < 2; ++i)
        blocks.push_back(l.modules.make(
            "GPTBlock",
            {Build::module("ln_1", l.layerNorm(width)), Build::module("ln_2", l.layerNorm(width)),
             Build::module("c_attn", l.linear(width, 3 * width)), Build::module("c_proj", l.linear(width, width)),
             Build::module("fc", l.linear(width, 4 * width)), Build::module("proj", l.linear(4 * width, width)),
             Build::module("drop", l.dropout()), Build::plain("heads", std::int64_t{4})}));
    return l.modules.make(
        "TiedGPT",
        {Build::module("wte", wte), Build::module("wpe", wpe), Build::module("blocks", l.modules.sequential(blocks)),
         Build::module("ln_f", l.layerNorm(width)), Build::module("drop", l.dropout()),
         Build::module("head", l.modules.make("TiedHead", {Build::parameter("weight", weight)}))});
}

struct TrainedModel {
    const char* name;
    torch::jit::Module (*module)();
    const char* inputs;
    std::vector<std::int64_t> targets;
    std::int64_t classes;
    double rate;
};

inline const std::vector<TrainedModel>& trainedModels() {
    static const std::vector<TrainedModel> models = {
        {"resnet18", resnet, R"([{"shape":[4,3,16,16]}])", {4}, 10, 0.02},
        {"gpt-tied", tiedGpt, R"([{"shape":[4,16],"dtype":"int64","fill":{"randint":[0,64]}}])", {4, 16}, 64, 0.05},
    };
    return models;
}

}  // namespace aotscope::test
