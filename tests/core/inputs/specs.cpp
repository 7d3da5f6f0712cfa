// Input specs: their contents, the inputs that they create, and errors.

#include "test_inputs.h"

#include "program/inputs/describe_inputs.h"
#include "program/inputs/example_inputs.h"
#include "program/pytree.h"
#include "support/tensor_files.h"
#include "support/text.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>

using namespace aotscope;
using namespace aotscope::test;

namespace {

/// The tensors that a spec describes, as a model with undeclared inputs gets them.
std::vector<c10::IValue> made(const std::string& spec, std::uint64_t seed = 0) {
    return makeInputs(parseInputSpec(spec, "spec"), {}, seed, kCpu, {}).values;
}

std::string oneLeaf(const std::string& rest) { return "[{\"shape\":[2,3]" + rest + "}]"; }

}  // namespace

void TestInputs::brokenSpecs_data() {
    const auto row = columns<QString, QString>("spec", "message");
    row("no JSON", "[{]", "spec: it is not valid JSON (parse error at line 1, column 3");
    row("empty", "", "spec: it is not valid JSON");
    row("a number", "3", "spec: expected a list of leaves or an object with 'values' and 'inputs', found 3");
    row("no inputs", R"({"values":[]})", "spec: the key 'inputs' is missing");
    row("unknown key", R"({"values":[],"inputs":[],"value":1})",
        "spec: unknown key 'value'; known keys are values, inputs, dims");
    row("values no list", R"({"values":{},"inputs":[]})", "spec, values: expected a list, found {}");
    row("no shape", "[{}]", "spec, [0]: the key 'shape' is missing");
    row("shape no list", R"([{"shape":3}])", "spec, [0].shape: expected a list, found 3");
    row("size no integer", R"([{"shape":[1.5]}])", "spec, [0].shape[0]: expected an integer, found 1.5");
    row("negative size", R"([{"shape":[2,-1]}])", "spec, [0].shape[1]: expected a size from 0 to 2^40, found -1");
    row("size beyond 64 bits", R"([{"shape":[18446744073709551615]}])",
        "expected an integer, found 18446744073709551615");
    row("too many elements", R"([{"shape":[1048576,1048576,2]}])", "expected a tensor of at most 2^40 elements");
    row("unknown dtype", R"([{"shape":[1],"dtype":"float99"}])",
        "spec, [0].dtype: expected a dtype such as float32 or int64, found \"float99\"");
    row("dtype no text", R"([{"shape":[1],"dtype":32}])", "spec, [0].dtype: expected a string, found 32");
    row("requires_grad", R"([{"shape":[1],"requires_grad":"yes"}])", "spec, [0].requires_grad: expected true or false");
    row("leaf key", R"([{"shape":[1],"requires_gard":true}])",
        "spec, [0]: unknown key 'requires_gard'; known keys are shape");
    row("two fills", R"([{"shape":[1],"fill":"ones","file":"x.pt"}])", "expected only one of fill, pattern and file");
    row("unknown fill", R"([{"shape":[1],"fill":"random"}])", "spec, [0].fill: expected \"zeros\", \"ones\"");
    row("empty randint", R"([{"shape":[1],"fill":{"randint":[3,3]}}])", "expected [low, high] with low < high");
    row("short randint", R"([{"shape":[1],"fill":{"randint":[3]}}])", "[0].fill.randint: expected [low, high]");
    row("short pattern", R"([{"shape":[1],"pattern":[1,2,3]}])", "[0].pattern: expected [mul, mod, off, scale]");
    row("modulus 0", R"([{"shape":[1],"pattern":[1,0,0,1]}])", "[0].pattern[1]: expected a modulus of at least 1");
    row("unknown derivation", R"({"values":[{"leaf":{"shape":[1]}},{"op":"flip","of":0}],"inputs":[]})",
        "spec, values[1].op: expected one of add_scalar");
    row("of itself", R"({"values":[{"op":"clone","of":0}],"inputs":[]})",
        "spec, values[0].of: expected the index of an earlier value, found 0");
    row("of nothing", R"({"values":[{"leaf":{"shape":[1]}},{"op":"clone"}],"inputs":[]})",
        "spec, values[1]: the key 'of' is missing");
    row("unknown argument", R"({"values":[{"leaf":{"shape":[1]}},{"op":"view","of":0,"args":[{}]}],"inputs":[]})",
        "spec, values[1].args[0]: expected a list, found {}");
    row("no such value", R"({"values":[],"inputs":[{"tensor":0}]})",
        "spec, inputs[0].tensor: expected the index of a value, found 0");
    row("int no integer", R"({"values":[],"inputs":[{"int":1.5}]})", "spec, inputs[0].int: expected an integer");
    row("bare input", R"({"values":[],"inputs":[7]})", "spec, inputs[0]: expected an object, found 7");
    row("unknown input", R"({"values":[],"inputs":[{"tenser":0}]})", "spec, inputs[0]: expected {\"tensor\": index}");
    const auto dims = [&](const char* name, const char* entry, const char* shape, const char* message) {
        QTest::newRow(name) << uR"({"dims":%1,"values":[{"leaf":{"shape":%2}}],"inputs":[]})"_s.arg(
                                   QLatin1String(entry), QLatin1String(shape))
                            << message;
    };
    row("name without dims", R"([{"shape":["batch",3]}])",
        "spec, [0].shape[0]: the dimension 'batch' is not in 'dims'");
    dims("another name", R"({"batch":8,"width":3})", R"(["bacth"])",
         "spec, values[0].leaf.shape[0]: the dimension 'bacth' is not in 'dims'; known dimensions are batch, width");
    dims("dims no object", "[]", "[1]", "spec, dims: expected an object, found []");
    dims("dimension no number", R"({"n":"8"})", "[1]", "spec, dims.n: expected an integer, found \"8\"");
    dims("no hint", R"({"n":{"min":1}})", "[1]", "spec, dims.n: the key 'hint' is missing");
    dims("unknown bound", R"({"n":{"hint":1,"most":1}})", "[1]",
         "spec, dims.n: unknown key 'most'; known keys are hint");
    dims("hint below", R"({"n":{"hint":1,"min":2,"max":64}})", "[1]",
         "spec, dims.n: expected a hint from 2 to 64, found 1");
    dims("hint above", R"({"n":{"hint":65,"max":64}})", "[1]", "expected a hint from 0 to 64, found 65");
    dims("negative least", R"({"n":{"hint":1,"min":-1}})", "[1]", "expected a minimum size of at least 0, found -1");
    dims("bounds reversed", R"({"n":{"hint":3,"min":4,"max":2}})", "[1]",
         "the minimum size is above the maximum: 4 to 2");
    dims("largest too large", R"({"n":{"hint":3,"max":1099511627777}})", "[1]",
         "expected a maximum size of at most 2^40");
    dims("hints too large together", R"({"n":1048577})", R"(["n","n"])", "expected a tensor of at most 2^40 elements");
    dims("no name", R"({"":3})", "[1]", "spec, dims.: a dimension needs a name");
    row("nested", R"({"values":[],"inputs":[[{"a":[{"int":"x"}]}]]})",
        "spec, inputs[0][0].a[0].int: expected an integer");
}
void TestInputs::brokenSpecs() {
    FETCH(QString, spec, message);
    const QString error = errorOf([&] { parseInputSpec(spec.toStdString(), "spec"); });
    QVERIFY2(error.contains(message), qPrintable(error));
}

void TestInputs::impossibleValues_data() {
    columns<QString, QString>("spec", "message");
    const auto row = [](const char* name, const char* value, const char* message) {
        QTest::newRow(name) << uR"({"values":[{"leaf":{"shape":[2,3]}},%1],"inputs":[{"tensor":1}]})"_s.arg(
                                   QLatin1String(value))
                            << message;
    };
    row("view of another size", R"({"op":"view","of":0,"args":[[7]]})",
        "value 1 of the input spec cannot be made: shape '[7]'");
    row("argument missing", R"({"op":"select","of":0,"args":[0]})", "value 1 of the input spec cannot be made: ");
    row("argument of another kind", R"({"op":"select","of":0,"args":["x",[1]]})",
        "value 1 of the input spec cannot be made: ");
    row("channels_last of two dimensions", R"({"op":"channels_last","of":0})",
        "value 1 of the input spec cannot be made: ");
    row("unknown dtype", R"({"op":"view_dtype","of":0,"args":["float99"]})",
        "value 1 of the input spec cannot be made: ");
    row("integer with gradient", R"({"leaf":{"shape":[1],"dtype":"int64","requires_grad":true}})",
        "an input of dtype int64 cannot require a gradient");
    row("unknown device", R"({"leaf":{"shape":[1],"device":"nonsense"}})",
        "value 1 of the input spec cannot be made: ");
    row("missing file", R"({"leaf":{"shape":[1],"file":"no_such_file.pt"}})",
        "cannot read 'no_such_file.pt': no such file");
}
void TestInputs::impossibleValues() {
    FETCH(QString, spec, message);
    const QString error = errorOf([&] { made(spec.toStdString()); });
    QVERIFY2(error.contains(message), qPrintable(error));
}

void TestInputs::fills_data() {
    const auto row = columns<QString, QList<double>>("leaf", "elements");
    row("zeros", R"(,"fill":"zeros")", QList<double>{0, 0, 0, 0, 0, 0});
    row("ones", R"(,"fill":"ones","dtype":"int32")", QList<double>{1, 1, 1, 1, 1, 1});
    row("pattern", R"(,"pattern":[7,16,-8,0.125])", QList<double>{-1, -0.125, 0.75, -0.375, 0.5, -0.625});
    row("integer pattern", R"(,"pattern":[2,5,0,1],"dtype":"int64")", QList<double>{0, 2, 4, 1, 3, 0});
    row("one possible integer", R"(,"fill":{"randint":[4,5]},"dtype":"int64")", QList<double>{4, 4, 4, 4, 4, 4});
}
void TestInputs::fills() {
    QFETCH(QString, leaf);
    QFETCH(QList<double>, elements);
    const at::Tensor tensor = made(oneLeaf(leaf.toStdString())).at(0).toTensor().to(at::kDouble).contiguous();
    QCOMPARE(QList<double>(tensor.data_ptr<double>(), tensor.data_ptr<double>() + tensor.numel()), elements);
}

void TestInputs::randomFillsFollowTheSeedAlone_data() {
    QTest::addColumn<QString>("leaf");
    for (const char* leaf : {"", R"(,"fill":"rand")", R"(,"fill":"randn","dtype":"float64")",
                             R"(,"fill":{"randint":[0,1000]})", R"(,"fill":"randn","dtype":"complex64")"})
        QTest::newRow(*leaf ? leaf : "default") << leaf;
}
void TestInputs::randomFillsFollowTheSeedAlone() {
    QFETCH(QString, leaf);
    const std::string spec = oneLeaf(leaf.toStdString());
    auto generator = at::detail::getDefaultCPUGenerator();
    const at::Tensor before = generator.get_state();
    const at::Tensor first = made(spec, 3).at(0).toTensor();
    QVERIFY(at::equal(generator.get_state(), before));
    generator.set_current_seed(99);
    QVERIFY(at::equal(made(spec, 3).at(0).toTensor(), first));
    QVERIFY(!at::equal(made(spec, 4).at(0).toTensor(), first));
}

void TestInputs::derivations_data() {
    QTest::addColumn<QString>("derivation");
    QTest::addColumn<QString>("result");  // dtype, sizes, strides, offset, shares memory, first element
    const auto row = [](const char* derivation, const char* result) {
        QTest::newRow(derivation) << derivation << result;
    };
    row(R"("add_scalar","args":[1.5])", "Float[2, 3][3, 1]+0 own 1.5");
    row(R"("mul_scalar","args":[2])", "Float[2, 3][3, 1]+0 own 0");
    row(R"("view","args":[[3,2]])", "Float[3, 2][2, 1]+0 shared 0");
    row(R"("view_dtype","args":["int32"])", "Int[2, 3][3, 1]+0 shared 0");
    row(R"("select","args":[0,1])", "Float[3][1]+3 shared 3");
    row(R"("slice","args":[1,1,3])", "Float[2, 2][3, 1]+1 shared 1");
    row(R"("slice","args":[1,0,3,2])", "Float[2, 2][3, 2]+0 shared 0");
    row(R"("transpose","args":[0,1])", "Float[3, 2][1, 3]+0 shared 0");
    row(R"("as_strided","args":[[2,2],[1,1],2])", "Float[2, 2][1, 1]+2 shared 2");
    row(R"("expand","args":[[4,2,3]])", "Float[4, 2, 3][0, 3, 1]+0 shared 0");
    row(R"("detach","args":[])", "Float[2, 3][3, 1]+0 shared 0");
    row(R"("clone")", "Float[2, 3][3, 1]+0 own 0");
}
void TestInputs::derivations() {
    FETCH(QString, derivation, result);
    const auto values =
        made(R"({"values":[{"leaf":{"shape":[2,3],"pattern":[1,100,0,1],"requires_grad":true}},{"of":0,"op":)" +
             derivation.toStdString() + R"(}],"inputs":[{"tensor":0},{"tensor":1}]})");
    const at::Tensor base = values.at(0).toTensor(), t = values.at(1).toTensor();
    const QString actual =
        q(c10::str(t.scalar_type(), t.sizes(), t.strides(), "+", t.storage_offset(),
                   t.is_alias_of(base) ? " shared " : " own ", t.detach().flatten()[0].item<double>()));
    QCOMPARE(actual, result);
    // Values derived from a leaf stay connected to it.
    QCOMPARE(t.requires_grad(), t.is_floating_point() && !derivation.contains("detach"_L1));
}

void TestInputs::channelsLast() {
    const auto values = made(R"({"values":[{"leaf":{"shape":[2,3,4,5]}},{"op":"channels_last","of":0},
            {"leaf":{"shape":[1,2,3,4,5]}},{"op":"channels_last","of":2}],"inputs":[{"tensor":1},{"tensor":3}]})");
    QVERIFY(values[0].toTensor().is_contiguous(at::MemoryFormat::ChannelsLast));
    QVERIFY(values[1].toTensor().is_contiguous(at::MemoryFormat::ChannelsLast3d));
}

void TestInputs::specsPrintAsTheyRead_data() {
    const auto row = columns<QString>("spec");
    row("short", R"([{"shape":[8,3],"dtype":"float32"},{"shape":[],"dtype":"bool"}])");
    row("fills",
        R"([{"shape":[1],"dtype":"int64","fill":{"randint":[-3,7]}},{"shape":[1],"dtype":"float32","fill":"rand"},)"
        R"({"shape":[1],"dtype":"float32","pattern":[7.0,16.0,-8.0,0.125]},{"shape":[1],"dtype":"float32","file":"a/b.pt"},)"
        R"({"shape":[1],"dtype":"float32","device":"cpu","requires_grad":true,"fill":"zeros"}])");
    row("long",
        R"({"values":[{"leaf":{"shape":[2],"dtype":"float64","fill":"ones"}},{"op":"slice","of":0,"args":[0.0,1.0,2.0]},)"
        R"({"op":"as_strided","of":1,"args":[[1],[2],0.0]},{"op":"view_dtype","of":0,"args":["int64"]}],)"
        R"("inputs":[{"tensor":2},{"int":-3},{"float":0.5},{"bool":true},{"none":true},[{"tensor":0},[]],{"key":{"int":1}}]})");
    row("files", R"([{"file":"a.npy"},{"file":"a.npy","dtype":"int8"},{"file":"a.npy","shape":[3]}])");
    row("dimensions",
        R"({"dims":{"batch":{"hint":8,"min":2,"max":64},"length":{"hint":0},"wide":{"hint":9,"max":9}},)"
        R"("values":[{"leaf":{"shape":["batch",3,"length"],"dtype":"float32"}},{"leaf":{"shape":["wide"],"dtype":"bool"}},)"
        R"({"op":"view","of":0,"args":[["batch",-1]]}],"inputs":[{"tensor":2},{"tensor":1}]})");
}
void TestInputs::specsPrintAsTheyRead() {
    QFETCH(QString, spec);
    const std::string printed = printInputSpec(parseInputSpec(spec.toStdString(), "spec"));
    QCOMPARE(QJsonDocument::fromJson(QByteArray::fromStdString(printed)), QJsonDocument::fromJson(spec.toUtf8()));
    QCOMPARE(q(printInputSpec(parseInputSpec(printed, "spec"))), q(printed));
}

void TestInputs::informativeKeysAreIgnored() {
    const auto spec = parseInputSpec(R"({"name":"n","category":1,"input_summary":[],"leaves":[0],"options":{},
            "program":"p","entry":"f","is_module":true,"values":[],"inputs":[]})",
                                     "spec");
    QVERIFY(spec.values.empty() && spec.inputs.empty());
}

void TestInputs::namedDimensionsHaveTheirHints() {
    const auto spec = parseInputSpec(
        R"({"dims":{"batch":{"hint":4,"min":2,"max":8},"n":3},"values":[{"leaf":{"shape":["batch","n",2],"fill":"zeros"}},
            {"op":"view","of":0,"args":[["batch",6]]}],"inputs":[{"tensor":0},{"tensor":1}]})",
        "spec");
    QCOMPARE(spec.dims.size(), std::size_t{2});
    QCOMPARE(findDimension(spec, "batch")->max, std::int64_t{8});
    QVERIFY(!findDimension(spec, "m"));
    const auto& leaf = std::get<LeafSpec>(spec.values[0]);
    QCOMPARE(leaf.shape, (std::vector<std::int64_t>{4, 3, 2}));
    QCOMPARE(leaf.dimNames, (std::vector<std::string>{"batch", "n", ""}));
    const auto sizesOf = [](const InputSpec& s, std::size_t i) {
        return makeInputs(s, {}, 0, kCpu, {}).values.at(i).toTensor().sizes().vec();
    };
    QCOMPARE(sizesOf(spec, 1), (std::vector<std::int64_t>{4, 6}));
    const InputSpec other = withSizes(spec, {{"batch", 8}});
    QCOMPARE(sizesOf(other, 0), (std::vector<std::int64_t>{8, 3, 2}));
    QCOMPARE(sizesOf(other, 1), (std::vector<std::int64_t>{8, 6}));
    QCOMPARE(findDimension(other, "batch")->hint, std::int64_t{8});
    QCOMPARE(q(printInputSpec(withSizes(other, {{"batch", 4}}))), q(printInputSpec(spec)));
    QCOMPARE(errorOf([&] {
                 withSizes(spec, {{"batch", 9}});
             }),
             u"dimension 'batch': expected a hint from 2 to 8, found 9"_s);
    QCOMPARE(errorOf([&] { withSizes(spec, {{"m", 9}}); }), u"the input spec has no dimension 'm'"_s);
}

void TestInputs::gradientAndDeviceOfALeaf() {
    const auto values = made(R"([{"shape":[1],"requires_grad":true,"device":"cpu"},{"shape":[1]}])");
    QVERIFY(values[0].toTensor().requires_grad() && values[0].toTensor().is_leaf());
    QVERIFY(!values[1].toTensor().requires_grad() && values[1].toTensor().is_cpu());
    QVERIFY(made(R"([{"shape":[1],"device":"meta"}])")[0].toTensor().is_meta());
}

/// They equal those with memory in all that tracing uses.
void TestInputs::examplesWithoutMemory() {
    const char* text = R"({"values": [{"leaf": {"shape": [4, 6], "dtype": "float64", "requires_grad": true}},
        {"op": "transpose", "of": 0, "args": [0, 1]}, {"op": "as_strided", "of": 0, "args": [[2, 2], [6, 1], 5]},
        {"op": "mul_scalar", "of": 1, "args": [2]}, {"leaf": {"shape": [4], "dtype": "int64", "device": "cpu"}}],
        "inputs": [{"tensor": 0}, {"tensor": 1}, {"tensor": 2}, {"tensor": 3}, {"tensor": 4}]})";
    const InputSpec spec = parseInputSpec(text, "spec");
    const auto real = makeInputs(spec, {}, 0, kCpu, {}).values;
    const auto planned = makeInputs(spec, {}, 0, c10::Device(c10::kMeta), {}).values;
    for (std::size_t i = 0; i < real.size(); ++i) {
        const at::Tensor &with = real[i].toTensor(), &without = planned[i].toTensor();
        QVERIFY(without.is_meta());
        QVERIFY(with.sizes() == without.sizes() && with.strides() == without.strides());
        QVERIFY(with.scalar_type() == without.scalar_type() && with.storage_offset() == without.storage_offset());
        QCOMPARE(without.requires_grad(), with.requires_grad());
        QCOMPARE(without.is_leaf(), with.is_leaf());
        QCOMPARE(without.is_alias_of(planned[0].toTensor()), with.is_alias_of(real[0].toTensor()));
    }
    const InputSpec beyond =
        parseInputSpec(R"({"values": [{"leaf": {"shape": [4]}}, {"op": "as_strided", "of": 0, "args": [[9], [1], 0]}],
                           "inputs": [{"tensor": 1}]})",
                       "spec");
    for (const c10::Device device : {kCpu, c10::Device(c10::kMeta)})
        QVERIFY(errorOf([&] { makeInputs(beyond, {}, 0, device, {}); }).contains("cannot be made"_L1));
}
