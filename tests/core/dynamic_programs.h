#pragma once

#include "support/models.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <QJsonDocument>
#include <QJsonObject>
#include <QtGlobal>

#include <algorithm>

namespace aotscope::test {

using Build = ModuleBuilder;

/// A program, the ranges of its input sizes, and the expected graph.
struct DynamicProgram {
    const char* name;
    const char* methods;
    std::string dims;                 ///< of the input spec
    std::vector<std::string> shapes;  ///< of the inputs
    std::vector<const char*> symbols;
    std::vector<const char*> inGraph;   ///< texts in the joint graph
    std::vector<const char*> guards{};  ///< except the bounds
    Attributes (*attributes)() = nullptr;
    bool gradients = true;

    std::string spec() const {
        std::string values, inputs;
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            values += (i ? "," : "") + std::string(R"({"leaf":{"shape":)") + shapes[i] +
                      R"(,"fill":"randn","requires_grad":)" + (gradients ? "true" : "false") + "}}";
            inputs += (i ? "," : "") + std::string(R"({"tensor":)") + std::to_string(i) + "}";
        }
        return R"({"dims":)" + dims + R"(,"values":[)" + values + R"(],"inputs":[)" + inputs + "]}";
    }
    Compiled compiled(const Options& options = {}) const {
        return compile(moduleFrom(methods, attributes ? attributes() : Attributes{}), spec(), options);
    }
    /// The program with other example sizes: the dimensions are the symbols s0, s1, ... by their names.
    DynamicProgram at(const std::vector<Symbol>& dynamic, const SymbolValues& sizes) const {
        QJsonObject others = QJsonDocument::fromJson(QByteArray::fromStdString(dims)).object();
        const QStringList names = others.keys();
        for (qsizetype i = 0; i < names.size(); ++i)
            for (const Symbol& symbol : dynamic)
                if (const std::string own = "s" + std::to_string(i);
                    own == symbol.name || std::ranges::find(symbol.equals, own) != symbol.equals.end())
                    others[names[i]] = qint64{sizes.at(symbol.name)};
        DynamicProgram other = *this;
        other.dims = QJsonDocument(others).toJson().toStdString();
        return other;
    }
};

inline Attributes linearLayers() {
    return {Build::parameter("w1", learned({4, 3})), Build::parameter("b1", learned({4})),
            Build::parameter("w2", learned({2, 4})), Build::parameter("b2", learned({2}))};
}

inline Attributes convolution() {
    return {Build::parameter("w", learned({4, 3, 3, 3})), Build::parameter("b", learned({4}))};
}

inline Attributes batchNorm() {
    return {Build::parameter("weight", learned({3})), Build::parameter("bias", learned({3})),
            Build::buffer("running_mean", at::zeros({3})), Build::buffer("running_var", at::ones({3}))};
}

inline const char* const kBatch = R"({"n":{"hint":8,"min":2,"max":64}})";
inline const char* const kOneBatch = "s0 = 8 in 2..64 from \"n, x.size(0)\"";

inline std::vector<DynamicProgram> layers() {
    return {
        {"mlp",
         "def forward(self, x: Tensor) -> Tensor:\n"
         "    return torch.linear(torch.relu(torch.linear(x, self.w1, self.b1)), self.w2, self.b2)",
         kBatch,
         {R"(["n",3])"},
         {kOneBatch},
         {"f32[s0, 3] = placeholder(input)", "f32[s0, 4] = aten.addmm", "f32[s0, 2]"},
         {},
         linearLayers},
        {"convolution and pooling",
         "def forward(self, x: Tensor) -> Tensor:\n"
         "    return torch.max_pool2d(torch.relu(torch.conv2d(x, self.w, self.b, [2, 2], [1, 1])), [2, 2])",
         R"({"n":{"hint":4,"max":9},"h":{"hint":16,"min":8,"max":40}})",
         {R"(["n",3,"h","h"])"},
         {"s0 = 16 in 8..40", "s1 = 4 in 2..9"},
         {"f32[s1, 4, (s0 + 1)//2, (s0 + 1)//2] = aten.convolution"},
         {},
         convolution},
        {"strides that are products of three sizes",
         "def forward(self, x: Tensor) -> Tensor:\n    return torch.relu(x) * 2",
         R"({"b":{"hint":3,"max":9},"c":{"hint":5,"max":9},"h":{"hint":7,"max":9},"w":{"hint":4,"max":9}})",
         {R"(["b","c","h","w"])"},
         {"s0 = 3 in 2..9", "s1 = 5 in 2..9", "s2 = 7 in 2..9", "s3 = 4 in 2..9"},
         {"f32[s0, s1, s2, s3] = aten.relu"}},
        {"two convolutions",
         "def forward(self, x: Tensor) -> Tensor:\n"
         "    y = torch.conv2d(x, self.w, self.b, [2, 2], [1, 1])\n"
         "    return torch.conv2d(y[:, :3], self.w, self.b, [2, 2], [1, 1])",
         R"({"h":{"hint":16,"min":8,"max":40}})",
         {R"([2,3,"h",12])"},
         {"s0 = 16 in 8..40"},
         {"f32[2, 4, (s0 + 1)//2, 6]"},
         {},
         convolution},
        {"attention",
         "def forward(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:\n"
         "    return torch.matmul(torch.softmax(torch.matmul(q, k.transpose(1, 2)) / 2.0, -1), v)",
         R"({"b":{"hint":3,"max":8},"t":{"hint":7,"max":33}})",
         {R"(["b","t",4])", R"(["b","t",4])", R"(["b","t",4])"},
         {"s0 = 3 in 2..8", "s1 = 7 in 2..33"},
         {"f32[s0, s1, s1] = aten._softmax"}},
        {"fused attention",
         "def forward(self, q: Tensor, k: Tensor) -> Tensor:\n"
         "    return torch.scaled_dot_product_attention(q, k, k)",
         R"({"b":{"hint":3,"max":8},"t":{"hint":7,"max":33},"s":{"hint":5,"max":20}})",
         {R"(["b",2,"t",4])", R"(["b",2,"s",4])"},
         {"s0 = 3 in 2..8", "s1 = 5 in 2..20", "s2 = 7 in 2..33"},
         {"_scaled_dot_product_flash_attention_for_cpu"}},
    };
}

inline std::vector<DynamicProgram> combinedSizes() {
    return {
        {"concatenation beside each other",
         "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    return torch.cat([x, y], 1)",
         R"({"a":{"hint":6,"max":20},"b":{"hint":6,"min":3,"max":30}})",
         {R"(["a",2])", R"(["b",3])"},
         {"s0 = 6 in 3..20"},
         {"f32[s0, 5] = aten.cat", "f32[s0, 3] = placeholder(input)"},
         {"s1 == s0"}},
        {"concatenation one after the other",
         "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    return torch.cat([x, y])",
         R"({"a":{"hint":6,"max":20},"b":{"hint":6,"max":30}})",
         {R"(["a",2])", R"(["b",2])"},
         {"s0 = 6 in 2..20", "s1 = 6 in 2..30"},
         {"f32[s1 + s0, 2] = aten.cat"}},
        {"view in rows of four",
         "def forward(self, x: Tensor) -> Tensor:\n    return x.mul(2).view(-1, 4).sum(1)",
         kBatch,
         {R"(["n"])"},
         {"s0 = 8 in "},
         {"f32[s0//4, 4] = aten.view"},
         {"s0 % 4 == 0"}},
        {"broadcasting",
         "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    return x * y + y",
         R"({"n":{"hint":8,"max":64},"m":{"hint":5,"max":9}})",
         {R"(["n",1])", R"(["m"])"},
         {"s0 = 5 in 2..9", "s1 = 8 in 2..64"},
         {"f32[s1, s0] = aten.mul.Tensor"}},
        {"mean and variance",
         "def forward(self, x: Tensor) -> Tensor:\n    return x.mean() + x.mean(0) * torch.var(x, 0)",
         kBatch,
         {R"(["n",3])"},
         {kOneBatch},
         {"%sym_size"}},
        {"layer norm over a size that varies",
         "def forward(self, x: Tensor) -> Tensor:\n    return torch.layer_norm(x, [x.size(1)])",
         R"({"n":{"hint":8,"max":64},"m":{"hint":5,"max":9}})",
         {R"(["n","m"])"},
         {"s0 = 5 in 2..9", "s1 = 8 in 2..64"},
         {"native_layer_norm"}},
        {"batch norm in training",
         "def forward(self, x: Tensor) -> Tensor:\n"
         "    return torch.batch_norm(x, self.weight, self.bias, self.running_mean, self.running_var, True, 0.1, "
         "1e-05, "
         "False)",
         kBatch,
         {R"(["n",3,4])"},
         {kOneBatch},
         {"f32[s0, 3, 4]"},
         {},
         batchNorm},
    };
}

inline std::vector<DynamicProgram> outputsAndMutations() {
    return {
        {"a size as an output",
         "def forward(self, x: Tensor) -> Tuple[Tensor, int]:\n    return x.sin(), 3 * x.size(0) + 1",
         kBatch,
         {R"(["n",3])"},
         {kOneBatch},
         {"Sym(3*s0 + 1)"}},
        {"outputs that are views",
         "def forward(self, x: Tensor) -> Tuple[Tensor, Tensor, Tensor, Tensor]:\n"
         "    y = x * 2\n    return x.view(-1), x[1:], y, y.t()[:, :x.size(0) - 1]",
         kBatch,
         {R"(["n",3])"},
         {kOneBatch},
         {"f32[3*s0]", "f32[s0 - 1, 3]"}},
        {"views of plain inputs",
         "def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:\n    return x.view(-1), x.t()[1:]",
         kBatch,
         {R"(["n",3])"},
         {kOneBatch},
         {"f32[3*s0]"},
         {},
         nullptr,
         false},
        {"strided views",
         "def forward(self, x: Tensor) -> Tensor:\n    return torch.as_strided(x, [x.size(0) - 1, 3], [3, 1], 3)",
         kBatch,
         {R"(["n",3])"},
         {kOneBatch},
         {"f32[s0 - 1, 3]"},
         {},
         nullptr,
         false},
        {"mutation of an input",
         "def forward(self, x: Tensor) -> Tensor:\n    x.mul_(2)\n    x[1:].add_(1)\n    return x + 1",
         kBatch,
         {R"(["n",3])"},
         {kOneBatch},
         {"f32[s0, 3] = aten.mul.Tensor", "f32[s0 - 1, 3] = aten.add.Tensor"},
         {},
         nullptr,
         false},
    };
}

inline std::vector<DynamicProgram> sizesAsNumbers() {
    return {
        {"branch on a size",
         "def forward(self, x: Tensor) -> Tensor:\n    if x.size(0) > 4:\n        return x.sin()\n    return x.cos()",
         kBatch,
         {R"(["n",3])"},
         {"s0 = 8 in 5..40"},
         {"f32[s0, 3] = aten.sin"},
         {"s0 >= 5"}},
        {"halves",
         "def forward(self, x: Tensor) -> Tensor:\n    h = x.size(0) // 2\n    return x[:h].sum(0) * x[h:].mean(0)",
         kBatch,
         {R"(["n",3])"},
         {kOneBatch},
         {"f32[s0//2, 3] = aten.slice", "Sym(s0//2)"}},
        {"a size as a factor",
         "def forward(self, x: Tensor) -> Tensor:\n    return x * (x.size(0) - 1)",
         kBatch,
         {R"(["n",3])"},
         {kOneBatch},
         {"Sym(s0 - 1)"}},
        {"a range of numbers",
         "def forward(self, x: Tensor) -> Tensor:\n    return x + torch.arange(x.size(0), dtype=6).unsqueeze(1)",
         kBatch,
         {R"(["n",3])"},
         {kOneBatch},
         {"f32[s0] = aten.arange"}},
        {"memory of three dimensions",
         "def forward(self, x: Tensor) -> Tensor:\n"
         "    return x.transpose(0, 2).contiguous().view(-1, x.size(0)).cumsum(0)",
         R"({"a":{"hint":3,"max":9},"b":{"hint":4,"max":9},"c":{"hint":5,"max":9}})",
         {R"(["a","b","c"])"},
         {"s0 = 3 in 2..9", "s1 = 4 in 2..9", "s2 = 5 in 2..9"},
         {"f32[s1*s2, s0] = aten.view"}},
    };
}

inline const std::vector<DynamicProgram>& programs() {
    static const auto list = [] {
        std::vector<DynamicProgram> all;
        for (const auto& part : {layers(), combinedSizes(), outputsAndMutations(), sizesAsNumbers()})
            all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return list;
}

inline const DynamicProgram& program(const char* name) {
    for (const DynamicProgram& p : programs())
        if (std::string_view(p.name) == name) return p;
    qFatal("no program '%s'", name);
}

inline DynamicProgram batchProgram(const char* name, const char* methods) {
    return {name, methods, kBatch, {R"(["n",3])"}, {}, {}};
}

}  // namespace aotscope::test
