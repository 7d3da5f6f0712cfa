#include "load/sample_list.h"

#include "support/error.h"
#include "support/joined.h"
#include "support/names.h"
#include "support/quoted.h"

namespace aotscope {

const std::vector<SampleInfo>& sampleList() {
    static const std::vector<SampleInfo> all = {
        {"sincos", "x.sin().cos(): the smallest joint graph",
         R"([{"shape":[4,5],"dtype":"float32","requires_grad":true}])"},
        {"mlp", "Three linear layers with ReLU", R"([{"shape":[32,64]}])"},
        {"aliasing", "Views of an input and of an intermediate as outputs, inputs that overlap (synthetic base)",
         R"({"values":[{"leaf":{"shape":[6,4]}},{"leaf":{"shape":[8,4]}},)"
         R"({"op":"slice","of":1,"args":[0,0,6]},{"op":"slice","of":1,"args":[0,2,8]},)"
         R"({"leaf":{"shape":[],"dtype":"int64","fill":"zeros"}}],)"
         R"("inputs":[{"tensor":0},{"tensor":2},{"tensor":3},{"tensor":4}]})"},
        {"mutations", "Inputs whose data, sizes or both are changed in place, an input that is returned itself",
         R"([{"shape":[3,5]},{"shape":[4,6]},{"shape":[4,4]},{"shape":[3,5]}])"},
        {"resnet18", "ResNet-18, batch norm with running statistics, 11.7 M parameters", R"([{"shape":[8,3,64,64]}])"},
        {"resnet50", "ResNet-50, 25.6 M parameters", R"([{"shape":[4,3,64,64]}])"},
        {"gpt2-tiny", "GPT-2 with 2 layers of width 64, dropout, tied embedding",
         R"([{"shape":[2,32],"dtype":"int64","fill":{"randint":[0,512]}}])"},
        {"gpt2", "GPT-2 small, 12 layers, 124 M parameters, tied embedding",
         R"([{"shape":[2,64],"dtype":"int64","fill":{"randint":[0,50257]}}])"},
        {"gpt2-deep", "GPT-2 with 48 layers of width 64: a graph of thousands of operations",
         R"([{"shape":[2,32],"dtype":"int64","fill":{"randint":[0,512]}}])"},
        {"bert-tiny", "BERT with 2 layers of width 128, dropout, two outputs",
         R"([{"shape":[2,32],"dtype":"int64","fill":{"randint":[0,1024]}},{"shape":[2,32],"dtype":"int64","fill":{"randint":[0,2]}}])"},
        {"bert", "BERT base, 12 layers, 110 M parameters, dropout, two outputs",
         R"([{"shape":[2,64],"dtype":"int64","fill":{"randint":[0,30522]}},{"shape":[2,64],"dtype":"int64","fill":{"randint":[0,2]}}])"},
    };
    return all;
}

const SampleInfo& findSample(const std::string& name) {
    std::vector<std::string> names;
    for (const auto& sample : sampleList()) {
        if (sample.name == name) return sample;
        names.push_back(sample.name);
    }
    const auto similar = similarNames(name, names);
    throw Error("there is no sample " + inQuotes(name) + "; " +
                (similar.empty() ? "" : "did you mean '" + similar.front() + "'? ") + "choose one of " +
                joined(names, ", "));
}

}  // namespace aotscope
