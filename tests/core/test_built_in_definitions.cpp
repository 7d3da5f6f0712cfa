// Results of the built-in definitions of operators: those of torchvision, transformers, torchao and quantization.

#include "core/called_operator.h"
#include "ir/printer.h"
#include "load/torchscript/definitions.h"
#include "session/session.h"
#include "support/exported_files.h"
#include "support/op_histogram.h"
#include "support/reference_files.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/List.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <torch/csrc/autograd/autograd.h>

namespace aotscope::test::built_in_definitions_test {

using nlohmann::json;

namespace {

constexpr const char* kModel = "models/model.json";

}  // namespace

class TestBuiltInDefinitions : public QObject {
    Q_OBJECT

    Scratch scratch_;

    Options optionsFor(const ExportedFile& file) {
        return {.model = file.write(scratch_.at(u"model.pt2"_s)).toStdString(),
                .inputs = parseInputSpec(R"([{"shape": [3, 4]}])", "inputs")};
    }

private Q_SLOTS:
    void initTestCase() {
        for (const auto& [name, defined] : builtInDefinitions()) define(name, defined.definition);
    }

    void groupedProducts() {
        const at::Tensor rows = at::randn({5, 3}).requires_grad_(), weights = at::randn({3, 3, 2}).requires_grad_();
        const at::Tensor ends = at::tensor({2, 2, 4}, at::kInt);
        const at::Tensor result = called("transformers::grouped_mm_fallback", {rows, weights, ends});
        QVERIFY(at::allclose(result.slice(0, 0, 2), at::mm(rows.slice(0, 0, 2), weights[0])));
        QVERIFY(at::allclose(result.slice(0, 2, 4), at::mm(rows.slice(0, 2, 4), weights[2])));
        QCOMPARE(result[4].abs().sum().item<double>(), 0.0);
        const at::Tensor seed = at::randn({5, 2});
        const auto found = torch::autograd::grad({result}, {rows, weights}, {seed});
        QVERIFY(at::allclose(found[0].slice(0, 2, 4), at::mm(seed.slice(0, 2, 4), weights[2].t())));
        QVERIFY(at::allclose(found[1][2], at::mm(rows.slice(0, 2, 4).t(), seed.slice(0, 2, 4))));
        QCOMPARE(found[1][1].abs().sum().item<double>(), 0.0);
    }

    /// Quantization with measured ranges, by operators of which several overloads have definitions.
    void quantizedOverloads() {
        const auto tensor = exportedTensor;
        const json least = {{"as_int", -128}}, most = {{"as_int", 127}}, int8 = {{"as_scalar_type", 2}};
        const std::string space = "torch.ops.quantized_decomposed.";
        const json choose = exportedNode(space + "choose_qparams.tensor",
                                         {{"input", tensor("x")},
                                          {"quant_min", least},
                                          {"quant_max", most},
                                          {"eps", {{"as_float", 1e-5}}},
                                          {"dtype", int8}},
                                         json::array({tensor("scale"), tensor("zero")}));
        const auto call = [&](const char* name, const char* input, const char* result) {
            return exportedNode(space + name,
                                {{"input", tensor(input)},
                                 {"scale", tensor("scale")},
                                 {"zero_point", tensor("zero")},
                                 {"quant_min", least},
                                 {"quant_max", most},
                                 {"dtype", int8}},
                                json::array({tensor(result)}));
        };
        ExportedFile file = exportedProgram(json::array({choose, call("quantize_per_tensor.tensor", "x", "q"),
                                                         call("dequantize_per_tensor.tensor", "q", "d")}),
                                            {"q", "d"});
        file.edit(kModel, [](json& j) {
            auto& types = j["graph_module"]["graph"]["tensor_values"];
            types["scale"] = types["zero"] = exportedTensorMeta({1});
            types["scale"]["dtype"] = 8;
            types["zero"]["dtype"] = 5;
            types["q"] = types["d"] = exportedTensorMeta({3, 4});
            types["q"]["dtype"] = 2;
        });
        const auto session = Session::open(optionsFor(file), {});
        QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
        const QString text = q(printGraph(*session->record()->graph(GraphKind::functional)));
        QVERIFY2(text.contains(u"quantized_decomposed.quantize_per_tensor.tensor("_s) && text.contains(u"torch.int8"_s),
                 qPrintable(text));
        QVERIFY(session->check({}).ok);
    }

    void quantizedValues() {
        const at::Tensor x = at::tensor({-100.0f, -0.26f, 0.1f, 0.76f});
        const at::Tensor steps = called("quantized_decomposed::quantize_per_tensor", {x, 0.5, 1, -128, 127, at::kChar});
        QVERIFY(at::equal(steps, at::tensor({-128, 0, 1, 3}, at::kChar)));
        const at::Tensor back =
            called("quantized_decomposed::dequantize_per_tensor", {steps, 0.5, 1, -128, 127, at::kChar, c10::IValue()});
        QVERIFY(at::equal(back, at::tensor({-64.5f, -0.5f, 0.0f, 1.0f})));
        const at::Tensor packed = at::tensor({0x18, 0xf0}, at::kByte).view({1, 2}), scales = at::tensor({2.0f});
        const at::Tensor row = called("quantized_decomposed::embedding_4bit",
                                      {packed, scales, c10::IValue(), -8, 7, at::tensor({0}, at::kLong)});
        QVERIFY(at::equal(row, at::tensor({-14.0f, 0.0f, 14.0f, -16.0f}).view({1, 4})));
        const at::Tensor leaf = at::tensor({-100.0f, 0.3f}).requires_grad_();
        const at::Tensor fake = called("quantized_decomposed::fake_quant_per_channel",
                                       {leaf, at::tensor({0.5f, 0.25f}), at::tensor({0, 0}, at::kInt), 0, -8, 7});
        QVERIFY(at::equal(torch::autograd::grad({fake.sum()}, {leaf})[0], at::tensor({0.0f, 1.0f})));
    }

    void quantizedProducts() {
        const at::Tensor x = at::tensor({1.0f, 2.0f}).view({1, 2}), scales = at::tensor({0.5f, 2.0f});
        const at::Tensor weight = at::tensor({1, 2, 3, 4}, at::kChar).view({2, 2});
        const c10::IValue none;
        QVERIFY(at::equal(called("quantized_decomposed::mixed_mm", {x, weight, scales, none}),
                          at::tensor({12.5f, 17.0f}).view({1, 2})));
        QVERIFY(at::equal(called("quantized_decomposed::mixed_linear", {x, weight, scales, none, none}),
                          at::tensor({2.5f, 22.0f}).view({1, 2})));
        const at::Tensor groups = at::tensor({1.0f, 0.5f, 2.0f, 1.0f}).view({2, 2});
        QVERIFY(at::equal(called("quantized_decomposed::mixed_linear", {x, weight, groups, none, at::kDouble}),
                          at::tensor({3.0, 14.0}).view({1, 2})));
    }

    void scalesOfBlocks() {
        const at::Tensor x = at::tensor({-51.0f, 2.0f, 25.5f, 0.0f}).view({1, 4});
        const c10::List<int64_t> halves({1, 2});
        const c10::IValue none;
        const auto chosen = [&](const char* mapping, bool keep) {
            return called("torchao::choose_qparams_affine",
                          {x, mapping, halves, at::kChar, none, none, none, none, none, keep});
        };
        QVERIFY(at::equal(chosen("SYMMETRIC", false), at::tensor({0.4f, 0.2f}).view({1, 2})));
        QVERIFY(
            at::equal(chosen("SYMMETRIC_NO_CLIPPING_ERR", true), at::tensor({51.0f / 128, 25.5f / 127}).view({1, 2})));
        QVERIFY(at::equal(chosen("ASYMMETRIC", false), at::tensor({53.0f / 255, 0.1f}).view({1, 2})));
        const at::Tensor scale =
            called("torchao::choose_scale_float8", {x, halves, at::kFloat8_e4m3fn, at::kFloat, none, none});
        QVERIFY(at::equal(scale, at::tensor({51.0f / 448, 25.5f / 448}).view({1, 2})));
    }

    void boxesThatAreKept() {
        const at::Tensor boxes =
            at::tensor({0.0, 0.0, 10.0, 10.0, 1.0, 1.0, 10.0, 10.0, 20.0, 20.0, 30.0, 30.0, 0.0, 0.0, 10.0, 5.0})
                .reshape({4, 4});
        const at::Tensor scores = at::tensor({0.8, 0.9, 0.1, 0.7});
        const at::Tensor kept = called("torchvision::nms", {boxes, scores, 0.5});
        QCOMPARE(kept.numel(), 3);  // the first overlaps the second by 81 of 100
        QCOMPARE(kept[0].item<int64_t>(), 1);
        QCOMPARE(kept[1].item<int64_t>(), 3);
        QCOMPARE(kept[2].item<int64_t>(), 2);
        QCOMPARE(called("torchvision::nms", {at::empty({0, 4}), at::empty({0}), 0.5}).numel(), 0);
    }

    /// The number of kept boxes depends on data: the graphs are those of the example, with guards.
    void sizesThatAreData() {
        const json sum =
            exportedNode("torch.ops.aten.sum.dim_IntList", {{"self", exportedTensor("x")}, {"dim", {{"as_ints", {1}}}}},
                         json::array({exportedTensor("sum")}));
        const json kept = exportedNode(
            "torch.ops.torchvision.nms.default",
            {{"dets", exportedTensor("x")}, {"scores", exportedTensor("sum")}, {"iou_threshold", {{"as_float", 0.5}}}},
            json::array({exportedTensor("nms")}));
        const json chosen =
            exportedNode("torch.ops.aten.index_select.default",
                         {{"self", exportedTensor("x")}, {"dim", {{"as_int", 0}}}, {"index", exportedTensor("nms")}},
                         json::array({exportedTensor("chosen")}));
        const json mul = exportedNode("torch.ops.aten.mul.Tensor",
                                      {{"self", exportedTensor("chosen")}, {"other", exportedTensor("p_w")}},
                                      json::array({exportedTensor("mul")}));
        ExportedFile file = exportedProgram(json::array({sum, kept, chosen, mul}), {"mul"});
        file.edit(kModel, [](json& j) {
            auto& types = j["graph_module"]["graph"]["tensor_values"];
            types["sum"] = exportedTensorMeta({3});
            types["nms"] = exportedTensorMeta({1});
            types["nms"]["dtype"] = 5;
            types["nms"]["sizes"][0] = {{"as_expr", {{"expr_str", "u0"}, {"hint", nullptr}}}};
        });
        const auto session = Session::open(optionsFor(file), {});
        QVERIFY2(session->record()->error.empty(), session->record()->error.c_str());
        QCOMPARE(histogram(*tracedJoint(*session->record())).value(u"torchvision.nms.default"_s), 1);
        QVERIFY(session->check({}).ok);
    }

    /// Bilinear samples of a plane are exact.
    void alignedRegions() {
        const at::Tensor rows = at::arange(12, at::kDouble).reshape({12, 1}), columns = at::arange(16, at::kDouble);
        const at::Tensor picture = (rows * 2 + columns).expand({1, 2, 12, 16}).contiguous().requires_grad_();
        const at::Tensor region = at::tensor({0.0, 4.0, 2.0, 12.0, 10.0}, at::kDouble).reshape({1, 5});
        for (const std::int64_t ratio : {2, 0}) {
            const at::Tensor result = called("torchvision::roi_align", {picture, region, 1.0, 4, 2, ratio, true});
            QCOMPARE(result.sizes().vec(), (std::vector<std::int64_t>{1, 2, 4, 2}));
            for (int y = 0; y < 4; ++y)
                for (int x = 0; x < 2; ++x) {
                    const double expected = 2 * (2 - 0.5 + 2 * y + 1) + 4 - 0.5 + 4 * x + 2;
                    QVERIFY(std::abs(result[0][1][y][x].item<double>() - expected) < 1e-9);
                }
            const auto gradient = torch::autograd::grad({result.sum()}, {picture});
            QVERIFY(std::abs(gradient[0].sum().item<double>() - 16) < 1e-9);
        }
        const at::Tensor outside = at::tensor({0.0, -30.0, -30.0, -20.0, -20.0}, at::kDouble).reshape({1, 5});
        QCOMPARE(called("torchvision::roi_align", {picture, outside, 1.0, 2, 2, 2, false}).abs().sum().item<double>(),
                 0.0);
    }

    void gradientOfRegions() {
        const at::Tensor picture = at::rand({2, 1, 6, 5}, at::kDouble).requires_grad_();
        const at::Tensor regions =
            at::tensor({0.0, 0.3, 0.2, 3.1, 4.9, 1.0, -2.0, 1.0, 4.7, 7.5}, at::kDouble).reshape({2, 5});
        const auto run = [&](const at::Tensor& p) {
            return called("torchvision::roi_align", {p, regions, 0.9, 3, 2, 2, false});
        };
        const at::Tensor result = run(picture), seed = at::rand(result.sizes(), at::kDouble);
        const at::Tensor gradient = torch::autograd::grad({result}, {picture}, {seed})[0];
        const at::Tensor direction = at::rand(picture.sizes(), at::kDouble), base = picture.detach();
        const double step = 1e-3;
        const double numeric =
            ((run(base + direction * step) - run(base - direction * step)) * seed).sum().item<double>() / (2 * step);
        QVERIFY(std::abs(numeric - (gradient * direction).sum().item<double>()) < 1e-8);
    }
};

AOTSCOPE_TEST(TestBuiltInDefinitions)

}  // namespace aotscope::test::built_in_definitions_test

#include "test_built_in_definitions.moc"
