#include "ops/operator_policy.h"

#include "aten/convert.h"
#include "ir/graph.h"
#include "ir/subgraphs.h"
#include "ops/number_functions.h"
#include "ops/op_table.h"
#include "ops/repeated_draws.h"
#include "support/quoted.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

namespace aotscope {

namespace {

using Kind = OperatorKind;

/// The kinds of a namespace's operators, except those listed below.
struct Space {
    std::string_view name;
    OperatorKinds kinds;
};

const std::array<Space, 29>& spaces() {
    static const std::array<Space, 29> table = {{
        {"aten", {}},
        {"prim", {}},
        {"prims", {}},
        {"onnx", {}},      // shapes as tensors
        {"profiler", {}},  // marks for a profiler, which is not active here
        {"quantized", {}},
        {"_quantized", {}},
        {"quantization", {}},
        {"sparse", {}},
        {"onednn", {}},
        {"mkldnn", {}},
        {"mkldnn_prepacked", {}},
        {"prepacked", {}},  // XNNPACK
        {"_test", {}},
        {"higher_order", {}},  // the graphs that they run are judged, too
        {"cuda", {}},          // streams and events
        {"inductor_prims", {Kind::random}},
        {"inductor", {Kind::rawMemory}},  // views of arbitrary size and type into a buffer
        {"mkl", {Kind::rawMemory}},       // trusts the declared layout of packed weights
        {"fsdp", {Kind::rawMemory}},      // writes into buffers without checking their length
        {"c10d", {Kind::collectives}},
        {"c10d_functional", {Kind::collectives}},
        {"_c10d_functional", {}},  // among ranks of this process: our own kernels, which know no others
        {"_c10d_functional_autograd", {}},
        {"_dtensor", {}},
        {"symm_mem", {Kind::collectives, Kind::rawMemory}},  // memory of other processes
        {"rpc", {Kind::network}},
        {"static_runtime", {Kind::internal}},  // created from graphs by LibTorch's static runtime
        {"aotscope", {Kind::internal}},        // handles to our objects
    }};
    return table;
}

/// Operators that differ from the rest of their namespace; may include an overload.
struct Exceptions {
    OperatorKinds kinds;
    std::string_view names;  ///< separated by blanks
};

const std::array<Exceptions, 9>& exceptions() {
    static const std::array<Exceptions, 9> table = {{
        {{Kind::writesFiles}, "aten::save"},
        {{Kind::readsFiles, Kind::writesFiles}, "aten::from_file"},  // shared=True maps the file itself
        {{Kind::readsFiles}, "debugprims::load_tensor"},
        {{Kind::prints}, "aten::warn aten::_print prim::Print"},
        {{Kind::random}, "aten::manual_seed aten::seed aten::initial_seed aten::Generator"},
        {{Kind::network}, "prim::rpc_async prim::rpc_sync prim::rpc_remote"},
        // Without checks of sizes, indices or types.
        {{Kind::rawMemory},
         "aten::set_.source_Storage aten::set_.source_Storage_storage_offset aten::set.source_Storage "
         "aten::set.source_Storage_storage_offset aten::set.source_Storage_out "
         "aten::set.source_Storage_storage_offset_out aten::_reshape_alias aten::_reshape_alias_copy "
         "aten::_sparse_coo_tensor_unsafe aten::_sparse_compressed_tensor_unsafe aten::_sparse_csr_tensor_unsafe "
         "aten::_sparse_csc_tensor_unsafe aten::_sparse_bsr_tensor_unsafe aten::_sparse_bsc_tensor_unsafe "
         "aten::_sparse_coo_tensor_with_dims_and_tensors aten::_sparse_compressed_tensor_with_dims aten::_coalesced "
         "aten::_coalesced_ aten::_nested_view_from_buffer aten::_nested_view_from_buffer_copy "
         "aten::_nested_view_from_jagged aten::_nested_view_from_jagged_copy mkldnn::data_ptr"},
        // Created by LibTorch's own passes, with a graph or a fallback inside.
        {{Kind::internal},
         "prim::BailOut prim::BailoutTemplate prim::BroadcastMKLDNNTensors prim::ConstantMKLDNNTensor "
         "prim::CudaFusionGroup prim::DifferentiableGraph prim::FallbackGraph prim::FunctionalGraph prim::FusionGroup "
         "prim::Guard prim::MKLDNNClamp prim::MKLDNNClamp_ prim::MKLDNNGroup prim::MKLDNNHardSigmoid "
         "prim::MKLDNNHardSigmoid_ prim::MKLDNNHardSwish prim::MKLDNNHardSwish_ prim::MKLDNNHardTanh "
         "prim::MKLDNNHardTanh_ prim::MKLDNNLayerNorm prim::MKLDNNLayerNorm_ prim::MKLDNNScalarMul "
         "prim::MKLDNNScalarMul_ prim::RequiresGradCheck prim::StaticRuntimeCopyOuts prim::StaticSubgraph "
         "prim::TensorExprDynamicGroup prim::TensorExprDynamicGuard prim::TensorExprGroup prim::TypeCheck "
         "prim::mkldnn_convolution prim::oneDNNFusionGroup prim::oneDNNFusionGuard prim::profile prim::profile_ivalue"},
        // Python functions, which do not exist here.
        {{Kind::internal}, "prim::PythonOp prim::IgnoredPythonOp prim::CallPython"},
    }};
    return table;
}

/// C++ classes that do more than compute, by their namespace below "__torch__.torch.classes.".
constexpr std::string_view kCustomClasses = "__torch__.torch.classes.";

const std::array<Space, 12>& classSpaces() {
    static const std::array<Space, 12> table = {{
        {"quantized", {}},
        {"rnn", {}},
        {"sparse", {}},
        {"mkldnn", {}},
        {"xnnpack", {}},
        {"cuda", {}},
        {"profiler", {}},
        {"profiling", {}},
        {"backendutils", {}},
        {"c10d", {Kind::collectives}},
        {"dist_rpc", {Kind::network}},
        {"_nnapi", {Kind::loadsCode, Kind::rawMemory}},  // a program for Android's neural network library
    }};
    return table;
}

/// Operators that assemble the state of a module: packed weights, and tensors from existing ones.
constexpr std::string_view kAtLoad =
    "prim::RaiseException prim::device prim::dtype prim::layout prim::requires_grad prim::unchecked_unwrap_optional "
    "aten::Bool aten::Float aten::FloatImplicit aten::Int aten::IntImplicit aten::ScalarImplicit aten::__and__ "
    "aten::__contains__ aten::__getitem__ aten::__is__ aten::__isnot__ aten::__not__ aten::__or__ "
    "aten::_make_per_channel_quantized_tensor aten::_make_per_tensor_quantized_tensor aten::_pair aten::_quadruple "
    "aten::_single aten::_triple aten::_unwrap_optional aten::as_tensor aten::clone aten::contiguous "
    "aten::dequantize aten::detach aten::device aten::dim aten::eq aten::flatten aten::format aten::ge aten::gt "
    "aten::int_repr aten::le aten::len aten::lt aten::ne aten::numel aten::permute aten::q_per_channel_axis "
    "aten::q_per_channel_scales aten::q_per_channel_zero_points aten::q_scale aten::q_zero_point "
    "aten::quantize_per_channel aten::quantize_per_tensor aten::requires_grad_ aten::reshape aten::size aten::squeeze "
    "aten::str aten::t aten::tensor aten::to aten::transpose aten::unsqueeze aten::view aten::warn "
    "quantized::conv1d_prepack quantized::conv1d_unpack quantized::conv2d_prepack quantized::conv2d_unpack "
    "quantized::conv3d_prepack quantized::conv3d_unpack quantized::conv_prepack quantized::conv_unpack "
    "quantized::conv_transpose1d_prepack quantized::conv_transpose1d_unpack quantized::conv_transpose2d_prepack "
    "quantized::conv_transpose2d_unpack quantized::conv_transpose3d_prepack quantized::conv_transpose3d_unpack "
    "quantized::embedding_bag_2bit_prepack quantized::embedding_bag_4bit_prepack "
    "quantized::embedding_bag_byte_prepack quantized::embedding_bag_prepack quantized::embedding_bag_unpack "
    "quantized::linear_prepack quantized::linear_prepack_fp16 quantized::linear_prepack_fp16_legacy "
    "quantized::linear_prepack_legacy quantized::linear_unpack quantized::linear_unpack_fp16 "
    "quantized::make_quantized_cell_params quantized::make_quantized_cell_params_dynamic "
    "quantized::make_quantized_cell_params_fp16 sparse::qlinear_prepack sparse::qlinear_unpack "
    "_quantized::conv2d_prepack _quantized::conv3d_prepack _quantized::conv_transpose1d_prepack "
    "_quantized::conv_transpose2d_prepack _quantized::conv_transpose3d_prepack _quantized::linear_prepack "
    "_quantized::linear_prepack_fp16";

template <typename Spaces>
const Space* find(const Spaces& table, std::string_view name) {
    const auto it = std::find_if(table.begin(), table.end(), [&](const Space& s) { return s.name == name; });
    return it == table.end() ? nullptr : &*it;
}

template <typename Take>
void forEachWord(std::string_view words, Take&& take) {
    std::istringstream stream{std::string(words)};
    for (std::string word; stream >> word;) take(word);
}

const std::unordered_map<std::string, OperatorKinds>& exceptionsByName() {
    static const auto byName = [] {
        std::unordered_map<std::string, OperatorKinds> map;
        for (const Exceptions& e : exceptions())
            forEachWord(e.names, [&](const std::string& name) { map.emplace(name, e.kinds); });
        return map;
    }();
    return byName;
}

const std::unordered_set<std::string>& ownNamespaces() {
    static const auto names = [] {
        std::unordered_set<std::string> set;
        for (const auto& op : c10::Dispatcher::singleton().getAllOpNames())
            set.insert(op.name.substr(0, op.name.find("::")));
        return set;
    }();
    return names;
}

/// Anything not judged may have any effect.
OperatorKinds everything() {
    OperatorKinds kinds;
    for (const AllowableKind& k : allowableKinds())
        if (k.kind != Kind::runsAtLoad) kinds.add(k.kind);
    return kinds;
}

std::string joined(const std::vector<std::string>& parts, const char* last) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? last : ", ") + parts[i];
    return text;
}

}  // namespace

OperatorKinds operatorKinds(const std::string& name, const std::string& overload) {
    const auto& byName = exceptionsByName();
    if (!overload.empty())
        if (const auto it = byName.find(name + "." + overload); it != byName.end()) return it->second;
    if (const auto it = byName.find(name); it != byName.end()) return it->second;
    const auto colons = name.find("::");
    const std::string space = name.substr(0, colons);
    if (const Space* known = find(spaces(), space)) {
        const bool draws = space == "aten" && (opTags("aten." + name.substr(colons + 2) + ".default") & kRandom);
        return draws ? OperatorKinds{Kind::random} : known->kinds;
    }
    return ownNamespaces().contains(space) ? everything() : OperatorKinds();
}

OperatorKinds customClassKinds(const std::string& name) {
    if (!name.starts_with(kCustomClasses)) return {};
    const std::string rest = name.substr(kCustomClasses.size()), space = rest.substr(0, rest.find('.'));
    if (const Space* known = find(classSpaces(), space)) return known->kinds;
    // The rest of LibTorch: handles to objects of the process.
    return space == "aten" ? OperatorKinds{Kind::internal} : OperatorKinds();
}

bool mayRunAtLoad(const std::string& name) {
    static const auto names = [] {
        std::unordered_set<std::string> set;
        forEachWord(kAtLoad, [&](const std::string& word) { set.insert(word); });
        return set;
    }();
    const std::string space = name.substr(0, name.find("::"));
    const bool ofALibrary = !find(spaces(), space) && !ownNamespaces().contains(space);
    return ofALibrary || names.contains(name);
}

void rememberOwnNamespaces() { ownNamespaces(); }

bool belongsToLibTorch(const std::string& name) {
    const std::string space = name.substr(0, name.find("::"));
    return find(spaces(), space) || ownNamespaces().contains(space);
}

void OperatorJudge::judge(const std::string& what, OperatorKinds kinds) {
    OperatorKinds missing;
    if (kinds.contains(Kind::internal)) missing.add(Kind::internal);
    for (const AllowableKind& k : allowableKinds())
        if (kinds.contains(k.kind) && !allowed_.contains(k.kind)) missing.add(k.kind);
    if (missing.empty()) return;
    const auto sameKinds = [&](const auto& r) { return r.second == missing; };
    if (std::none_of(refused_.begin(), refused_.end(), sameKinds)) refused_.emplace_back(oneLine(what), missing);
}

void OperatorJudge::require(const std::string& opening) const {
    if (refused_.empty()) return;
    OperatorKinds needed;
    std::vector<std::string> names, clauses;
    for (const auto& [what, kinds] : refused_) {
        names.push_back(what);
        if (kinds.contains(Kind::internal))
            throw OperatorsRefused(
                opening + ": it calls " + what + ", which only programs made by LibTorch or aotscope itself may call",
                {}, names);
        std::vector<std::string> does;
        for (const AllowableKind& k : allowableKinds()) {
            if (!kinds.contains(k.kind)) continue;
            needed.add(k.kind);
            does.emplace_back(k.does);
        }
        clauses.push_back(what + ", which " + joined(does, " and "));
    }
    std::string flags;
    for (const AllowableKind& k : allowableKinds())
        if (needed.contains(k.kind)) flags += " --allow " + std::string(k.name);
    throw OperatorsRefused(
        opening + ": it calls " + joined(clauses, ", and ") + "; give" + flags + " if you trust whoever made it",
        needed, names);
}

namespace {

void judgeNodes(const Graph& graph, OperatorJudge& judge) {
    for (const Node* node : graph.nodes()) {
        if (node->kind() != NodeKind::call || node->op().starts_with("operator.")) continue;
        if (findNumberFunction(node->op())) continue;  // arithmetic on sizes
        const c10::OperatorName op = operatorName(operationOf(*node));
        judge.call(op.name, op.overload_name);
    }
}

}  // namespace

void requireAllowed(const Graph& graph, OperatorKinds allowed) {
    allowed.add(Kind::collectives);
    OperatorJudge judge(allowed);
    judgeNodes(graph, judge);
    for (const auto& subgraph : subgraphsWithin(graph)) judgeNodes(*subgraph, judge);
    judge.require("cannot run graph '" + graph.name() + "'");
}

}  // namespace aotscope
