// Inputs from files of tensors.

#include "test_inputs.h"

#include "program/inputs/example_inputs.h"
#include "program/inputs/saved_inputs.h"
#include "support/models.h"
#include "support/tensor_files.h"
#include "support/text.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/pickle.h>

using namespace aotscope;
using namespace aotscope::test;

QString TestInputs::saved(const QString& name, const c10::IValue& value) {
    const auto bytes = torch::jit::pickle_save(value);
    return scratch_.write(name, QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())));
}

void TestInputs::savedInputs() {
    const auto program =
        programOf(*moduleFrom("def forward(self, a: Tensor, b: List[Tensor]) -> Tensor:\n    return a + b[0]"),
                  ModuleMode::train);
    const at::Tensor one = at::ones({1}), two = one * 2;
    const auto sum = [&](const c10::IValue& file) {
        const auto inputs = readSavedInputs(saved(u"inputs.pt"_s, file).toStdString(), program->inputs());
        return program->call({}, inputs, nullptr).toTensor().item<double>();
    };
    QCOMPARE(sum(c10::ivalue::Tuple::create({one, c10::List<at::Tensor>({two})})), 3.0);
    c10::impl::GenericDict named(c10::StringType::get(), c10::AnyType::get());
    named.insert("b", c10::List<at::Tensor>({two}));
    QVERIFY2(errorOf([&] { sum(named); }).contains(u"has no entry for the model's input 'a'"_s), "missing entry");
    named.insert("a", one);
    QCOMPARE(sum(named), 3.0);
    const auto plain = readSavedInputs(saved(u"one.pt"_s, one).toStdString(), {});
    QVERIFY(plain.size() == 1 && at::equal(plain[0].toTensor(), one));
}

void TestInputs::argumentsAndKeywords() {
    const auto program =
        programOf(*moduleFrom("def forward(self, a: Tensor, b: Tensor, n: int = 2, m: int = 1) -> Tensor:\n"
                              "    return a - b * n * m"),
                  ModuleMode::train);
    const at::Tensor one = at::ones({1}), two = one * 2;
    const auto call = [](std::vector<c10::IValue> arguments, const std::map<std::string, c10::IValue>& keywords) {
        c10::impl::GenericDict named(c10::StringType::get(), c10::AnyType::get());
        for (const auto& [name, value] : keywords) named.insert(name, value);
        return c10::ivalue::Tuple::create({c10::ivalue::Tuple::create(std::move(arguments)), named});
    };
    const auto result = [&](const c10::IValue& file) {
        auto inputs = readSavedInputs(saved(u"call.pt"_s, file).toStdString(), program->inputs());
        for (std::size_t i = inputs.size(); i < 4; ++i) inputs.push_back(program->inputs()[i].defaultValue.value());
        return program->call({}, inputs, nullptr).toTensor().item<double>();
    };
    QCOMPARE(result(call({one, two}, {})), -3.0);
    QCOMPARE(result(call({one}, {{"b", two}})), -3.0);
    QCOMPARE(result(call({}, {{"b", one}, {"a", two}})), 0.0);
    QCOMPARE(result(call({one, two}, {{"m", 5}})), -19.0);  // n has its default
    QCOMPARE(result(call({one, two, 3}, {{"m", 2}})), -11.0);
    const auto error = [&](const c10::IValue& file) { return errorOf([&] { result(file); }); };
    QVERIFY2(error(call({one}, {{"m", 1}})).endsWith(u"has no argument for the model's input 'b'"_s), "missing");
    QVERIFY2(error(call({one, two}, {{"k", 1}}))
                 .endsWith(u"has a keyword argument 'k', the model's inputs are 'a', 'b', 'n', 'm'"_s),
             "unknown");
    QVERIFY2(error(call({one, two}, {{"a", one}})).contains(u"the model's input 'a' twice"_s), "twice");
    const auto batches = readSavedBatches(
        saved(u"calls.pt"_s, c10::ivalue::Tuple::create({call({one}, {{"b", two}}), call({one, two}, {})}))
            .toStdString(),
        program->inputs());
    QCOMPARE(batches.size(), std::size_t{2});
    QCOMPARE(batches[0].size(), std::size_t{2});
}

/// A pair of inputs that looks like a call is not treated as one.
void TestInputs::pairsOfInputsAreNoCalls() {
    const auto program = programOf(
        *moduleFrom("def forward(self, a: List[Tensor], b: Dict[str, Tensor]) -> Tensor:\n    return a[0] + b['k']"),
        ModuleMode::train);
    c10::impl::GenericDict named(c10::StringType::get(), c10::AnyType::get());
    named.insert("k", at::ones({1}));
    const auto file = c10::ivalue::Tuple::create({c10::List<at::Tensor>({at::ones({1})}), named});
    const auto inputs = readSavedInputs(saved(u"pair.pt"_s, file).toStdString(), program->inputs());
    QCOMPARE(inputs.size(), std::size_t{2});
    QCOMPARE(program->call({}, inputs, nullptr).toTensor().item<double>(), 2.0);
}

void TestInputs::brokenSavedInputs() {
    moduleFrom("def forward(self, x: Tensor) -> Tensor:\n    return x")->save(scratch_.at(u"model.pt"_s).toStdString());
    const QByteArray whole = contentOf(saved(u"whole.pt"_s, c10::List<at::Tensor>({at::ones({3})})));
    for (const QByteArray& content :
         {QByteArray(), QByteArray("nonsense"), whole.left(whole.size() / 2), contentOf(scratch_.at(u"model.pt"_s))}) {
        const QString path = scratch_.write(u"broken.pt"_s, content);
        const QString error = errorOf([&] { readSavedInputs(path.toStdString(), {}); });
        QVERIFY2(error.startsWith(u"cannot read '%1': "_s.arg(path)), qPrintable(error));
    }
}

void TestInputs::tensorsFromFilesOfTheSpec() {
    const at::Tensor t = at::arange(6, at::kFloat).view({2, 3});
    saved(u"t.pt"_s, t);
    scratch_.write(u"t.npy"_s, npyBytes(npyHeader("<f4", "(2, 3)"), bytesOf<float>({0, 1, 2, 3, 4, 5})));
    scratch_.write(u"t.safetensors"_s, safetensorsBytes(R"({"t":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})",
                                                        bytesOf<float>({0, 1, 2, 3, 4, 5})));
    const auto make = [&](const QString& spec) {
        return makeInputs(parseInputSpec(spec.toStdString(), "spec"), {}, 0, kCpu, scratch_.path().toStdString())
            .values.at(0)
            .toTensor();
    };
    for (const char* file : {"t.pt", "t.npy", "t.safetensors", "t.safetensors:t"}) {
        const QString name = QString::fromUtf8(file);
        QVERIFY(at::equal(make(uR"([{"shape":[2,3],"dtype":"float32","file":"%1"}])"_s.arg(name)), t));
        QVERIFY(at::equal(make(uR"([{"file":"%1"}])"_s.arg(name)), t));
        const at::Tensor leaf = make(uR"([{"file":"%1","requires_grad":true}])"_s.arg(name));
        QVERIFY(leaf.is_leaf() && leaf.requires_grad());
        const QString shape = errorOf([&] { make(uR"([{"shape":[3,2],"file":"%1"}])"_s.arg(name)); });
        QVERIFY2(shape.contains(u"holds a tensor of sizes [2, 3]; the input spec says [3, 2]"_s), qPrintable(shape));
        const QString dtype = errorOf([&] { make(uR"([{"dtype":"int64","file":"%1"}])"_s.arg(name)); });
        QVERIFY2(dtype.contains(u"holds a tensor of dtype float32; the input spec says int64"_s), qPrintable(dtype));
    }
}

void TestInputs::inputsFromTensorFiles() {
    const auto program =
        programOf(*moduleFrom("def forward(self, a: Tensor, b: Tensor, n: int = 1) -> Tensor:\n    return a - b * n"),
                  ModuleMode::train);
    const auto read = [&](const QString& path) { return readSavedInputs(path.toStdString(), program->inputs()); };
    const QString both = scratch_.write(
        u"both.safetensors"_s,
        safetensorsBytes(
            R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
            bytesOf<float>({5, 7})));
    const auto inputs = read(both);
    QCOMPARE(inputs.size(), std::size_t{2});
    QCOMPARE(inputs[0].toTensor().item<float>(), 7.0f);
    QCOMPARE(inputs[1].toTensor().item<float>(), 5.0f);
    QCOMPARE(read(both + u":b"_s).size(), std::size_t{1});
    const QString array = scratch_.write(u"one.npy"_s, npyBytes(npyHeader("<f4", "(1,)"), bytesOf<float>({3})));
    QCOMPARE(read(array).at(0).toTensor().item<float>(), 3.0f);
    const QString other = scratch_.write(
        u"other.safetensors"_s,
        safetensorsBytes(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", bytesOf<float>({5})));
    QVERIFY(errorOf([&] { read(other); }).contains(u"has no entry for the model's input 'a'"_s));
}
