#include "load/samples.h"

#include "load/sample_texts.h"
#include "load/torchscript/module_builder.h"
#include "load/torchscript/torchscript.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/api/module.h>

#include <cmath>
#include <map>

namespace aotscope {

namespace {

using Build = ModuleBuilder;
using torch::jit::Module;

}  // namespace

/// Creates layers with reproducible random weights, which fillWeights() fills: most sessions never read them.
class SampleBuilder {
public:
    SampleBuilder() {
        for (const auto& [file, text] : sampleTexts()) modules.addSource(file, text);
    }

    ModuleBuilder modules;

    at::Tensor normal(at::IntArrayRef sizes, double deviation) {
        return random_.emplace_back(at::empty(sizes), deviation).first;
    }

    /// In the order of creation, which the values depend on.
    void fillWeights() const {
        const at::NoGradGuard noGrad;
        const at::Generator generator = at::detail::createCPUGenerator(20240229);
        for (auto [tensor, deviation] : random_) tensor.normal_(0, deviation, generator);
    }

    at::Tensor factors(int64_t count) { return learned(normal({count}, 1)); }

    Module linear(int64_t in, int64_t out, double deviation) {
        return modules.make("Linear", {Build::parameter("weight", learned(normal({out, in}, deviation))),
                                       Build::parameter("bias", learned(at::zeros({out})))});
    }
    Module convolution(int64_t in, int64_t out, int64_t kernel, int64_t stride) {
        const double deviation = std::sqrt(2.0 / static_cast<double>(out * kernel * kernel));
        return modules.make("Conv2d",
                            {Build::parameter("weight", learned(normal({out, in, kernel, kernel}, deviation))),
                             Build::plain("stride", stride), Build::plain("padding", kernel / 2)});
    }
    Module batchNorm(int64_t channels) {
        return modules.make("BatchNorm2d", {Build::parameter("weight", learned(at::ones({channels}))),
                                            Build::parameter("bias", learned(at::zeros({channels}))),
                                            Build::buffer("running_mean", at::zeros({channels})),
                                            Build::buffer("running_var", at::ones({channels})),
                                            Build::buffer("num_batches_tracked", at::zeros({}, at::kLong))});
    }
    Module layerNorm(int64_t size, double eps) {
        return modules.make("LayerNorm", {Build::parameter("weight", learned(at::ones({size}))),
                                          Build::parameter("bias", learned(at::zeros({size}))),
                                          Build::plain("size", size), Build::plain("eps", eps)});
    }
    Module embedding(int64_t count, int64_t size) {
        return modules.make("Embedding", {Build::parameter("weight", learned(normal({count, size}, 0.02)))});
    }
    Module dropout(double p) { return modules.make("Dropout", {Build::plain("p", p)}); }

private:
    static at::Tensor learned(const at::Tensor& t) { return t.set_requires_grad(true); }

    std::vector<std::pair<at::Tensor, double>> random_;
};

namespace {

Module sincos(SampleBuilder& b) { return b.modules.make("SinCos", {}); }

/// A class whose only attribute is a vector of learned factors, one for each column of its inputs.
Module scaling(SampleBuilder& b, const char* name) {
    return b.modules.make(name, {Build::parameter("scale", b.factors(4))});
}

Module aliasing(SampleBuilder& b) { return scaling(b, "Aliasing"); }
Module mutations(SampleBuilder& b) { return scaling(b, "Mutations"); }

Module mlp(SampleBuilder& b) {
    const auto layer = [&](int64_t in, int64_t out) {
        return b.linear(in, out, 1 / std::sqrt(static_cast<double>(in)));
    };
    return b.modules.make("MLP",
                          {Build::module("layers", b.modules.list({layer(64, 256), layer(256, 256), layer(256, 10)}))});
}

/// `expansion` 1: basic blocks; 4: bottlenecks.
Module residualBlock(SampleBuilder& b, int64_t in, int64_t width, int64_t stride, int64_t expansion) {
    const int64_t out = width * expansion;
    std::vector<ModuleBuilder::Attribute> attributes;
    if (expansion == 1) {
        attributes = {Build::module("conv1", b.convolution(in, width, 3, stride)),
                      Build::module("bn1", b.batchNorm(width)), Build::module("conv2", b.convolution(width, out, 3, 1)),
                      Build::module("bn2", b.batchNorm(out))};
    } else {
        attributes = {
            Build::module("conv1", b.convolution(in, width, 1, 1)),         Build::module("bn1", b.batchNorm(width)),
            Build::module("conv2", b.convolution(width, width, 3, stride)), Build::module("bn2", b.batchNorm(width)),
            Build::module("conv3", b.convolution(width, out, 1, 1)),        Build::module("bn3", b.batchNorm(out))};
    }
    std::string name = expansion == 1 ? "BasicBlock" : "Bottleneck";
    if (stride != 1 || in != out) {
        name += "Down";
        attributes.push_back(
            Build::module("downsample", b.modules.sequential({b.convolution(in, out, 1, stride), b.batchNorm(out)})));
    }
    return b.modules.make(name, std::move(attributes));
}

Module resnet(SampleBuilder& b, const std::vector<int>& depths, int64_t expansion) {
    std::vector<ModuleBuilder::Attribute> attributes = {Build::module("conv1", b.convolution(3, 64, 7, 2)),
                                                        Build::module("bn1", b.batchNorm(64))};
    int64_t in = 64, width = 64;
    for (std::size_t layer = 0; layer < depths.size(); ++layer, width *= 2) {
        std::vector<Module> blocks;
        for (int i = 0; i < depths[layer]; ++i) {
            blocks.push_back(residualBlock(b, in, width, layer > 0 && i == 0 ? 2 : 1, expansion));
            in = width * expansion;
        }
        attributes.push_back(Build::module("layer" + std::to_string(layer + 1), b.modules.sequential(blocks)));
    }
    attributes.push_back(Build::module("fc", b.linear(in, 1000, 0.01)));
    return b.modules.make("ResNet", std::move(attributes));
}

Module resnet18(SampleBuilder& b) { return resnet(b, {2, 2, 2, 2}, 1); }
Module resnet50(SampleBuilder& b) { return resnet(b, {3, 4, 6, 3}, 4); }

/// The sizes of a language model.
struct Transformer {
    int64_t layers = 0, width = 0, heads = 0, vocabulary = 0, positions = 0;
    double dropout = 0.1;
};

Module gpt(SampleBuilder& b, const Transformer& sizes) {
    const int64_t width = sizes.width;
    const auto wte = b.embedding(sizes.vocabulary, width), wpe = b.embedding(sizes.positions, width);
    std::vector<Module> blocks;
    for (int64_t i = 0; i < sizes.layers; ++i)
        blocks.push_back(b.modules.make(
            "GPTBlock",
            {Build::module("ln_1", b.layerNorm(width, 1e-5)), Build::module("ln_2", b.layerNorm(width, 1e-5)),
             Build::module("c_attn", b.linear(width, 3 * width, 0.02)),
             Build::module("c_proj", b.linear(width, width, 0.02)),
             Build::module("fc", b.linear(width, 4 * width, 0.02)),
             Build::module("proj", b.linear(4 * width, width, 0.02)), Build::module("drop", b.dropout(sizes.dropout)),
             Build::plain("heads", sizes.heads)}));
    return b.modules.make(
        "GPT",
        {Build::module("wte", wte), Build::module("wpe", wpe), Build::module("blocks", b.modules.sequential(blocks)),
         Build::module("ln_f", b.layerNorm(width, 1e-5)), Build::module("drop", b.dropout(sizes.dropout))});
}

Module gpt2(SampleBuilder& b) { return gpt(b, {12, 768, 12, 50257, 1024, 0.0}); }
/// As many operations as in a large model, with little memory.
Module gpt2Deep(SampleBuilder& b) { return gpt(b, {48, 64, 4, 512, 64, 0.0}); }
Module gpt2Tiny(SampleBuilder& b) { return gpt(b, {2, 64, 4, 512, 64}); }

Module bertOf(SampleBuilder& b, const Transformer& sizes) {
    const int64_t width = sizes.width;
    std::vector<Module> blocks;
    for (int64_t i = 0; i < sizes.layers; ++i)
        blocks.push_back(b.modules.make(
            "BertLayer",
            {Build::module("query", b.linear(width, width, 0.02)), Build::module("key", b.linear(width, width, 0.02)),
             Build::module("value", b.linear(width, width, 0.02)),
             Build::module("attention_output", b.linear(width, width, 0.02)),
             Build::module("attention_norm", b.layerNorm(width, 1e-12)),
             Build::module("intermediate", b.linear(width, 4 * width, 0.02)),
             Build::module("output", b.linear(4 * width, width, 0.02)),
             Build::module("output_norm", b.layerNorm(width, 1e-12)), Build::module("drop", b.dropout(sizes.dropout)),
             Build::plain("heads", sizes.heads)}));
    return b.modules.make(
        "Bert",
        {Build::module("word", b.embedding(sizes.vocabulary, width)),
         Build::module("position", b.embedding(sizes.positions, width)),
         Build::module("segment", b.embedding(2, width)), Build::module("norm", b.layerNorm(width, 1e-12)),
         Build::module("encoder", b.modules.sequential(blocks)), Build::module("pooler", b.linear(width, width, 0.02)),
         Build::module("drop", b.dropout(sizes.dropout))});
}

Module bert(SampleBuilder& b) { return bertOf(b, {12, 768, 12, 30522, 512}); }
Module bertTiny(SampleBuilder& b) { return bertOf(b, {2, 128, 2, 1024, 64}); }

/// By the names of sampleList().
Module built(const std::string& name, SampleBuilder& builder) {
    static const std::map<std::string_view, Module (*)(SampleBuilder&)> builders = {
        {"sincos", sincos},       {"mlp", mlp},           {"aliasing", aliasing},
        {"mutations", mutations}, {"resnet18", resnet18}, {"resnet50", resnet50},
        {"gpt2-tiny", gpt2Tiny},  {"gpt2", gpt2},         {"gpt2-deep", gpt2Deep},
        {"bert-tiny", bertTiny},  {"bert", bert},
    };
    return builders.at(name)(builder);
}

}  // namespace

std::shared_ptr<const Program> programOf(const SampleInfo& sample, ModuleMode mode, const std::string& method) {
    const auto builder = std::make_shared<SampleBuilder>();
    const Module module = built(sample.name, *builder);
    return programOf(module, mode, method, at::kCPU, [builder] { builder->fillWeights(); });
}

}  // namespace aotscope
