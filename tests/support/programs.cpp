#include "support/programs.h"

#include "support/error.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

namespace aotscope::test {

namespace {

using Build = ModuleBuilder;

/// A leaf of the input spec with the elements -1, -0.125, 0.75, ...
std::string leaf(const std::string& shape, const std::string& rest = {}) {
    return R"({"leaf":{"shape":[)" + shape + R"(],"pattern":[7,16,-8,0.125])" + rest + "}}";
}
std::string gradLeaf(const std::string& shape) { return leaf(shape, R"(,"requires_grad":true)"); }

/// The given values, each as an input.
std::string spec(const std::vector<std::string>& values) {
    std::string text, inputs;
    for (std::size_t i = 0; i < values.size(); ++i) {
        text += (i ? "," : "") + values[i];
        inputs += (i ? "," : "") + std::string(R"({"tensor":)") + std::to_string(i) + "}";
    }
    return R"({"values":[)" + text + R"(],"inputs":[)" + inputs + "]}";
}
std::string oneInput(const std::string& shape) { return spec({gradLeaf(shape)}); }
std::string plainInput(const std::string& shape) { return spec({leaf(shape)}); }
/// An input that is not a leaf: derived from a leaf that requires a gradient.
std::string derivedInput(const std::string& shape, const std::string& derivation = R"("op":"add_scalar","args":[1])") {
    return R"({"values":[)" + gradLeaf(shape) + R"(,{"of":0,)" + derivation + R"(}],"inputs":[{"tensor":1}]})";
}
std::string inputs(const std::string& values, const std::string& items) {
    return R"({"values":[)" + values + R"(],"inputs":[)" + items + "]}";
}

Attributes linearLayers() {
    return {Build::parameter("w1", learned({4, 3})), Build::parameter("b1", learned({4})),
            Build::parameter("w2", learned({2, 4})), Build::parameter("b2", learned({2}))};
}
Attributes batchNorm() {
    return {Build::parameter("weight", learned({3})), Build::parameter("bias", learned({3})),
            Build::buffer("running_mean", at::zeros({3})), Build::buffer("running_var", at::ones({3})),
            Build::buffer("num_batches_tracked", at::zeros({}, at::kLong))};
}
Attributes oneWeight() { return {Build::parameter("w", learned({3}))}; }
Attributes tiedWeight() {
    const at::Tensor w = learned({3, 3});
    return {Build::parameter("first", w), Build::parameter("second", w)};
}
Attributes convolution() { return {Build::parameter("w", learned({4, 3, 3, 3})), Build::parameter("b", learned({4}))}; }
Attributes layerNorm() { return {Build::parameter("w", learned({4})), Build::parameter("b", learned({4}))}; }
Attributes embedding() { return {Build::parameter("w", learned({10, 4}))}; }
Attributes constants() {
    return {Build::plain("scale", 0.5), Build::plain("sizes", c10::List<int64_t>({2, 3})),
            Build::plain("name", std::string("relu")), Build::plain("table", at::arange(6, at::kFloat).view({2, 3}))};
}

constexpr const char* kBatchNorm =
    "def forward(self, x: Tensor) -> Tensor:\n"
    "    if self.training:\n        self.num_batches_tracked.add_(1)\n"
    "    y = torch.batch_norm(x, self.weight, self.bias, self.running_mean, self.running_var, self.training, 0.1, "
    "1e-5, True)\n"
    "    return torch.relu(y)";

/// "def forward(self, x: Tensor) -> RESULT:" and the lines of its body.
std::string unary(const std::string& body, const std::string& result = "Tensor") {
    std::string text = "def forward(self, x: Tensor) -> " + result + ":\n    ";
    for (char c : body) text += c == '\n' ? std::string("\n    ") : std::string(1, c);
    return text;
}

std::vector<ProgramText> layers() {
    return {
        {"sin_cos", unary("return x.sin().cos()"), oneInput("2,3")},
        {"mlp", unary("y = torch.relu(torch.linear(x, self.w1, self.b1))\nreturn torch.linear(y, self.w2, self.b2)"),
         plainInput("5,3"), linearLayers},
        {"batch_norm_train", kBatchNorm, oneInput("2,3,4,4"), batchNorm},
        {"batch_norm_eval", kBatchNorm, oneInput("2,3,4,4"), batchNorm, ModuleMode::eval},
        {"dropout_train", unary("return torch.dropout(x.sin(), 0.5, self.training) * x"), oneInput("4,5")},
        {"dropout_eval", unary("return torch.dropout(x.sin(), 0.5, self.training) * x"), oneInput("4,5"), nullptr,
         ModuleMode::eval},
        {"convolution",
         unary("y = torch.relu(torch.conv2d(x, self.w, self.b, [1, 1], [1, 1]))\n"
               "return torch.flatten(torch.max_pool2d(y, [2, 2]), 1)"),
         oneInput("2,3,6,6"), convolution},
        {"convolution_channels_last", unary("return torch.conv2d(x, self.w, self.b).sin()"),
         derivedInput("2,3,6,6", R"("op":"channels_last")"), convolution},
        {"layer_norm", unary("return torch.layer_norm(x, [4], self.w, self.b).sin()"), oneInput("2,3,4"), layerNorm},
        {"softmax", unary("return torch.log_softmax(x, 1) + torch.softmax(x, 0)"), oneInput("3,4")},
        {"embedding", "def forward(self, index: Tensor) -> Tensor:\n    return torch.embedding(self.w, index).sum(1)",
         inputs(R"({"leaf":{"shape":[2,3],"dtype":"int64","fill":{"randint":[0,10]}}})", R"({"tensor":0})"), embedding},
        {"batched_matmul", "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    return torch.matmul(x, y).tanh()",
         spec({gradLeaf("2,3,4,5"), gradLeaf("3,5,2")})},
        {"attention",
         "def forward(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:\n"
         "    y = torch.scaled_dot_product_attention(q, k, v, None, 0.0, True)\n"
         "    return y.transpose(1, 2).reshape([2, 4, 6])",
         spec({gradLeaf("2,3,4,2"), gradLeaf("2,3,4,2"), gradLeaf("2,3,4,2")})},
        {"tied_weights", unary("return torch.mm(torch.mm(x, self.first), self.second)"), plainInput("2,3"), tiedWeight},
    };
}

std::vector<ProgramText> mutations() {
    return {
        {"in_place_on_intermediate", unary("y = x.sin()\ny.mul_(2).add_(x)\ny[0].add_(1)\nreturn y.cos()"),
         oneInput("2,3")},
        {"mutates_leaf_without_gradient", unary("x.add_(1)\nreturn x * self.w"), plainInput("2,3"), oneWeight},
        {"mutates_input_with_gradient", unary("x.mul_(2)\nreturn x.sin() * self.w"), derivedInput("2,3"), oneWeight},
        {"mutates_view_of_input", unary("x.view(-1)[1:3].mul_(3)\nreturn x * self.w"), derivedInput("2,3"), oneWeight},
        {"mutates_metadata", unary("x.transpose_(0, 1)\nreturn x.sin() * self.w.sum()"), plainInput("2,4"), oneWeight},
        {"mutates_data_and_metadata", unary("x.t_()\nx.mul_(2)\nreturn x + self.w"), plainInput("3,2"), oneWeight},
        {"mutates_under_no_grad",
         unary("before = "
               "torch.is_grad_enabled()\ntorch.set_grad_enabled(False)\nx.mul_(2)\ntorch.set_grad_enabled(before)\n"
               "return x * self.w"),
         oneInput("2,3"), oneWeight},
        {"mutates_two_inputs",
         "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    x.add_(y)\n    y.mul_(2)\n    return x * y * self.w",
         spec({leaf("3"), leaf("3")}), oneWeight},
        {"buffer_takes_a_gradient", unary("self.count.add_(x.mean())\nreturn x * self.count"), oneInput("3"),
         [] { return Attributes{Build::buffer("count", at::ones({}))}; }},
        {"updates_buffer", unary("self.count.add_(x.detach().mean())\nreturn x * self.count"), oneInput("3"),
         [] { return Attributes{Build::buffer("count", at::ones({}))}; }},
        {"returns_nothing_but_a_mutation",
         "def forward(self, x: Tensor, y: Tensor) -> int:\n    x.copy_(y.sin())\n    return 3",
         spec({leaf("3"), leaf("3")})},
    };
}

std::vector<ProgramText> aliases() {
    return {
        {"alias_of_input", unary("return x.view(-1), x.sin()", "Tuple[Tensor, Tensor]"), oneInput("2,3")},
        {"input_itself", unary("return x, x.cos()", "Tuple[Tensor, Tensor]"), oneInput("2,3")},
        {"two_views_of_an_intermediate", unary("y = x.sin()\nreturn y.view(-1), y[0]", "Tuple[Tensor, Tensor]"),
         oneInput("2,3")},
        {"view_of_another_output", unary("y = x.sin()\nreturn y, y.t()", "Tuple[Tensor, Tensor]"), oneInput("2,3")},
        {"single_view_of_an_intermediate", unary("return x.sin().view(-1)"), oneInput("2,3")},
        {"views_of_one_split", unary("a, b = torch.split(x.sin(), 1)\nreturn a, b", "Tuple[Tensor, Tensor]"),
         oneInput("2,3")},
        {"output_and_its_detached_twin", unary("y = x.sin()\nreturn y, y.detach()", "Tuple[Tensor, Tensor]"),
         oneInput("2,3")},
        {"same_output_twice", unary("y = x.sin()\nreturn y, y", "Tuple[Tensor, Tensor]"), oneInput("2,3")},
        {"detached_part", unary("return x.sin().detach() * x"), oneInput("2,3")},
        {"expanded_output", unary("return x.sin().expand([4, 3])"), oneInput("1,3")},
        {"transposed_output", unary("return x.sin().t()"), oneInput("2,3")},
        {"same_tensor_twice", "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    return x.sin() * y",
         inputs(gradLeaf("3"), R"({"tensor":0},{"tensor":0})")},
        {"mutated_inputs_overlap",
         "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    x.mul_(3)\n    return x + y",
         R"({"values":[{"leaf":{"shape":[4],"requires_grad":true}},{"op":"add_scalar","of":0,"args":[1]},)"
         R"({"op":"slice","of":1,"args":[0,0,3]},{"op":"slice","of":1,"args":[0,1,4]}],)"
         R"("inputs":[{"tensor":2},{"tensor":3}]})"},
        {"mutated_input_twice", "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    x.t_()\n    return x * y",
         R"({"values":[{"leaf":{"shape":[3,2],"requires_grad":true}},{"op":"add_scalar","of":0,"args":[1]}],)"
         R"("inputs":[{"tensor":1},{"tensor":1}]})"},
        {"inputs_share_memory", "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    return x.sin() + y.cos()",
         inputs(gradLeaf("4") + R"(,{"op":"slice","of":0,"args":[0,0,2]},{"op":"slice","of":0,"args":[0,2,4]})",
                R"({"tensor":1},{"tensor":2})")},
    };
}

std::vector<ProgramText> values() {
    return {
        {"no_grad_region",
         unary("before = torch.is_grad_enabled()\ntorch.set_grad_enabled(False)\ny = "
               "x.sin()\ntorch.set_grad_enabled(before)\n"
               "return y * x"),
         oneInput("2,3")},
        {"numbers_and_none",
         "def forward(self, x: Tensor, n: int, p: float, flag: bool, maybe: Optional[Tensor]) -> Tensor:\n"
         "    if maybe is not None:\n        x = x + maybe\n    if flag:\n        x = x * p\n    return x.sum() * n",
         inputs(gradLeaf("2,3"), R"({"tensor":0},{"int":3},{"float":0.5},{"bool":true},{"none":true})")},
        {"lists_and_dicts",
         "def forward(self, xs: List[Tensor], named: Dict[str, Tensor]) -> Dict[str, Tensor]:\n"
         "    y = torch.cat(xs)\n    return {'product': y * named['a'], 'sum': y + named['b']}",
         inputs(gradLeaf("2") + "," + leaf("2") + "," + gradLeaf("4"),
                R"([{"tensor":0},{"tensor":1}],{"a":{"tensor":2},"b":{"tensor":2}})")},
        {"nested_outputs",
         unary("return [x.sin(), x.cos()], (x.size(0), None)", "Tuple[List[Tensor], Tuple[int, None]]"),
         oneInput("2,3")},
        {"size_arithmetic", unary("n = x.size(0) * x.size(1)\nreturn x.view([n // 2, -1]) / x.numel() + len(x.size())"),
         oneInput("4,3")},
        {"scalar_overloads", unary("return (x + 1) * 2.5 - 3 / (2 - x) + x ** 2 + torch.floor(-x / 2)"), oneInput("3")},
        {"integer_arithmetic",
         "def forward(self, n: Tensor) -> Tensor:\n    return ((n // 2) % 3 + (n << 1) - n.bitwise_and(3)) * self.w",
         inputs(R"({"leaf":{"shape":[3],"dtype":"int64","pattern":[5,16,0,1]}})", R"({"tensor":0})"), oneWeight},
        {"constants",
         unary("y = x * self.scale + self.table\nif self.name == 'relu':\n    y = torch.relu(y)\n"
               "return y.view(self.sizes) + torch.full([3], 2.5) + torch.arange(3)"),
         oneInput("2,3"), constants},
        {"loops", unary("for i in range(3):\n    x = x.sin() * (i + 1)\nreturn x"), oneInput("3")},
        {"dtypes", unary("return x.double().mul(2).half().float() + x.int()"), oneInput("3")},
        {"complex_numbers", unary("z = torch.view_as_complex(x)\nreturn torch.view_as_real(z * z.conj())"),
         oneInput("3,2")},
        {"indexing",
         "def forward(self, x: Tensor, index: Tensor) -> Tensor:\n"
         "    y = x[index]\n    y = torch.where(y > 0, y, y * 0.1)\n    z = torch.zeros_like(x)\n    z[index] = y\n"
         "    return z.masked_fill(x > 0.5, 0.0) + x[:, 1:2]",
         inputs(gradLeaf("4,3") + R"(,{"leaf":{"shape":[2],"dtype":"int64","pattern":[2,4,1,1]}})",
                R"({"tensor":0},{"tensor":1})")},
        {"joins_and_parts",
         unary("a, b = torch.chunk(x, 2, 1)\nc = torch.stack([a, b, a.sin()])\nvalues, indices = c.max(0)\n"
               "return torch.cat([values, a, b.cos()], 1)"),
         oneInput("2,4")},
        {"random_numbers", unary("return x * torch.rand_like(x) + torch.bernoulli(x.sigmoid()) * x"), oneInput("4,5")},
        {"empty_tensors", unary("return x.sin().sum(0) * 2"), oneInput("0,3")},
        {"unused_input", "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    return x.sin()",
         spec({gradLeaf("3"), gradLeaf("3")})},
        {"nothing_to_differentiate", unary("return x.sin()"), plainInput("3")},
        {"long_chain", unary("for i in range(30):\n    x = x.sin()\nreturn x"), oneInput("8")},
    };
}

}  // namespace

const std::vector<ProgramText>& programTexts() {
    static const auto all = [] {
        std::vector<ProgramText> list;
        for (const auto& part : {layers(), mutations(), aliases(), values()})
            list.insert(list.end(), part.begin(), part.end());
        return list;
    }();
    return all;
}

const ProgramText& programText(const std::string& name) {
    for (const auto& text : programTexts())
        if (text.name == name) return text;
    throw Error("there is no program '" + name + "'");
}

}  // namespace aotscope::test
