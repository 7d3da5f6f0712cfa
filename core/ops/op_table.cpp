#include "ops/op_table.h"

#include "ops/collectives.h"
#include "ops/operator_facts.h"
#include "support/enumerators.h"

#include <array>
#include <string>
#include <unordered_map>

namespace aotscope {

namespace {

/// A set of operators by their bare names, separated by blanks.
struct Group {
    std::string_view space;  ///< "aten", "prims", "operator"
    std::uint16_t tags;
    std::string_view names;
};

constexpr std::string_view kPointwiseNames =
    "__ilshift__ __ixor__ __lshift__ __rshift__ __xor__ abs acos acosh add addcdiv addcmul angle asin asinh "
    "atan atan2 atanh bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor "
    "ceil celu clamp clamp_max clamp_min clip clone conj_physical copysign cos cosh deg2rad digamma div elu "
    "eq equal erf erfc erfinv exp exp2 expm1 float_power floor fmax fmin fmod frac frexp gcd ge gelu "
    "gelu_backward gt hardshrink hardsigmoid hardtanh heaviside hypot i0 igamma igammac isfinite isinf isnan "
    "isneginf isposinf lcm ldexp le leaky_relu lerp lgamma log log10 log1p log2 logaddexp logaddexp2 "
    "logical_and logical_not logical_or logical_xor logit logit_backward lt masked_fill max maximum min "
    "minimum mish mul mvlgamma nan_to_num native_dropout_backward ne neg nextafter polygamma positive pow "
    "rad2deg reciprocal relu relu6 remainder round rrelu rsqrt rsub selu sgn sigmoid sigmoid_backward sign "
    "signbit silu silu_backward sin sinc sinh softplus softshrink special_airy_ai special_bessel_j0 "
    "special_bessel_j1 special_bessel_y0 special_bessel_y1 special_chebyshev_polynomial_t "
    "special_chebyshev_polynomial_u special_chebyshev_polynomial_v special_chebyshev_polynomial_w "
    "special_entr special_erfcx special_hermite_polynomial_h special_hermite_polynomial_he special_i0e "
    "special_i1 special_i1e special_laguerre_polynomial_l special_legendre_polynomial_p special_log_ndtr "
    "special_modified_bessel_i0 special_modified_bessel_i1 special_modified_bessel_k0 "
    "special_modified_bessel_k1 special_ndtri special_scaled_modified_bessel_k0 "
    "special_scaled_modified_bessel_k1 special_shifted_chebyshev_polynomial_t "
    "special_shifted_chebyshev_polynomial_u special_shifted_chebyshev_polynomial_v "
    "special_shifted_chebyshev_polynomial_w special_spherical_bessel_j0 special_xlog1py special_zeta sqrt "
    "square sub tan tanh tanh_backward threshold threshold_backward true_divide trunc where xlogy ";

constexpr std::string_view kOtherRecomputable =
    "__and__ __or__ _grad_sum_to_size _to_copy _unsafe_view alias amax any arange argmax as_strided "
    "broadcast_tensors empty empty_like expand full full_like gather index lift_fresh_copy mean new_zeros "
    "ones permute reshape scalar_tensor select slice split squeeze std sum sum_to_size t to triu type_as "
    "unsqueeze var var_mean view zeros zeros_like ";

constexpr std::array kGroups = {
    Group{"aten", kRecomputable, kPointwiseNames},
    Group{"aten", kRecomputable, kOtherRecomputable},
    Group{"prims", kRecomputable,
          "_low_memory_max_pool_offsets_to_indices broadcast_in_dim convert_element_type div iota "
          "prepare_softmax_online sum var"},
    Group{"operator", kRecomputable,
          "_sym_acos _sym_asin _sym_atan _sym_cos _sym_cosh _sym_log2 _sym_sin _sym_sinh _sym_sqrt _sym_tan _sym_tanh "
          "abs add and_ ceil eq floor floordiv ge getitem gt le lshift lt mod mul ne neg or_ pos pow round rshift sub "
          "sym_float sym_ite sym_max sym_min sym_not truediv trunc xor"},
    Group{"aten", kView | kRecomputable, "squeeze unsqueeze alias view slice t expand as_strided permute select split"},
    Group{"prims", kView | kRecomputable, "broadcast_in_dim"},
    Group{"prims", kRandom, "inductor_seed inductor_seeds normal uniform"},
    Group{"aten", kRandomFusible | kRandom, "native_dropout rand_like randn_like"},
    Group{"aten", kComputeIntensive,
          "mm convolution convolution_backward bmm addmm _scaled_dot_product_flash_attention "
          "_scaled_dot_product_efficient_attention _flash_attention_forward _efficient_attention_forward "
          "upsample_bilinear2d _scaled_mm"},
    Group{"aten", kRandom,
          "dropout _fused_dropout _standard_gamma bernoulli bernoulli_ multinomial normal normal_ normal_functional "
          "poisson binomial "
          "rrelu rrelu_with_noise rrelu_with_noise_functional rand randint randint_like randn randperm random random_ "
          "uniform uniform_ "
          "exponential exponential_ geometric geometric_ cauchy cauchy_ log_normal log_normal_"},
    Group{
        "aten", kEffect,
        "_assert_async _assert_scalar _assert_tensor_metadata _linalg_check_errors _print sym_constrain_range "
        "sym_constrain_range_for_size _propagate_xla_data _cufft_clear_plan_cache _cufft_set_plan_cache_max_size "
        "_backward _validate_sparse_bsc_tensor_args _validate_sparse_bsr_tensor_args _validate_sparse_coo_tensor_args "
        "_validate_sparse_compressed_tensor_args _validate_sparse_csc_tensor_args _validate_sparse_csr_tensor_args "
        "_validate_compressed_sparse_indices"},
    Group{"symm_mem", kEffect,
          "_barrier nccl_put_signal nccl_put_with_signal nccl_wait_for_signal nccl_wait_signal nvshmem_put_with_signal "
          "nvshmem_wait_for_signal"},
};

/// Calls `visit` for every word of `names`.
template <typename Visit>
void forEachName(std::string_view names, Visit&& visit) {
    while (!names.empty()) {
        const auto end = names.find(' ');
        if (end > 0) visit(names.substr(0, end));
        if (end == std::string_view::npos) break;
        names.remove_prefix(end + 1);
    }
}

/// Looks names up without copying them.
struct OperatorHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
};
template <typename T>
using OperatorMap = std::unordered_map<std::string, T, OperatorHash, std::equal_to<>>;

using TagTable = OperatorMap<std::uint16_t>;

TagTable makeTags() {
    TagTable table;
    for (const Group& group : kGroups)
        forEachName(group.names, [&](std::string_view name) {
            table[std::string(group.space) + "." + std::string(name)] |= group.tags;
        });
    // In-place variants of pointwise operators have their tags; only functional graphs are partitioned, but graphs
    // traced as written are also coloured by them.
    forEachName(kPointwiseNames,
                [&](std::string_view name) { table.emplace("aten." + std::string(name) + "_", kRecomputable); });
    return table;
}

using FamilyTable = OperatorMap<OpFamily>;

FamilyTable makeFamilies() {
    FamilyTable table;
    const auto add = [&](OpFamily family, std::string_view names) {
        forEachName(names, [&](std::string_view name) { table.emplace(std::string(name), family); });
    };
    add(OpFamily::matmul,
        "mm bmm addmm baddbmm addbmm matmul linear mv dot addmv _scaled_mm einsum bilinear "
        "vdot _int_mm _grouped_mm addr cdist _cdist_forward _cdist_backward");
    add(OpFamily::convolution,
        "convolution _convolution convolution_backward conv1d conv2d conv3d conv_transpose1d conv_transpose2d "
        "conv_transpose3d convolution_overrideable");
    add(OpFamily::normalization,
        "native_batch_norm _native_batch_norm_legit _native_batch_norm_legit_functional "
        "_native_batch_norm_legit_no_training native_batch_norm_backward batch_norm "
        "native_layer_norm native_layer_norm_backward layer_norm native_group_norm native_group_norm_backward "
        "group_norm instance_norm _batch_norm_with_update _batch_norm_with_update_functional _batch_norm_no_update "
        "batch_norm_backward batch_norm_update_stats _fused_rms_norm _fused_rms_norm_backward rms_norm "
        "_weight_norm_interface _weight_norm_interface_backward _masked_softmax _masked_softmax_backward "
        "_softmax _softmax_backward_data _log_softmax _log_softmax_backward_data _safe_softmax softmax log_softmax");
    add(OpFamily::attention,
        "scaled_dot_product_attention _scaled_dot_product_flash_attention _scaled_dot_product_flash_attention_backward "
        "_scaled_dot_product_flash_attention_for_cpu _scaled_dot_product_flash_attention_for_cpu_backward "
        "_scaled_dot_product_efficient_attention "
        "_scaled_dot_product_efficient_attention_backward _scaled_dot_product_cudnn_attention _flash_attention_forward "
        "_efficient_attention_forward _scaled_dot_product_cudnn_attention_backward _native_multi_head_attention "
        "_transformer_encoder_layer_fwd _transform_bias_rescale_qkv");
    add(OpFamily::reduction,
        "sum mean amax amin max min argmax argmin prod var std var_mean std_mean any all norm linalg_vector_norm "
        "cumsum cumprod logsumexp "
        "max_pool2d max_pool2d_with_indices max_pool2d_with_indices_backward avg_pool2d avg_pool2d_backward "
        "adaptive_avg_pool2d _adaptive_avg_pool2d "
        "_adaptive_avg_pool2d_backward nll_loss_forward nll_loss_backward "
        "max_pool3d_with_indices max_pool3d_with_indices_backward avg_pool3d avg_pool3d_backward _adaptive_avg_pool3d "
        "_adaptive_avg_pool3d_backward adaptive_max_pool2d adaptive_max_pool2d_backward adaptive_max_pool3d "
        "adaptive_max_pool3d_backward fractional_max_pool2d fractional_max_pool3d cummax cummin logcumsumexp median "
        "nanmedian mode kthvalue nansum count_nonzero aminmax _aminmax std_mean trace histc "
        "nll_loss2d_forward nll_loss2d_backward mse_loss mse_loss_backward huber_loss huber_loss_backward "
        "smooth_l1_loss "
        "smooth_l1_loss_backward binary_cross_entropy binary_cross_entropy_backward _ctc_loss _ctc_loss_backward "
        "multi_margin_loss multilabel_margin_loss_forward sort topk");
    add(OpFamily::view,
        "view _unsafe_view reshape t transpose transpose_ permute squeeze unsqueeze expand as_strided slice select "
        "split split_with_sizes unbind chunk flatten "
        "alias detach diagonal narrow view_as_real view_as_complex unfold unflatten contiguous movedim swapaxes "
        "broadcast_in_dim getitem");
    add(OpFamily::random,
        "native_dropout native_dropout_backward dropout bernoulli bernoulli_ rand randn randint rand_like randn_like "
        "randperm normal uniform multinomial poisson binomial _standard_gamma _sample_dirichlet rrelu_with_noise "
        "rng_state run_with_rng_state");
    add(OpFamily::indexing,
        "embedding embedding_dense_backward index index_put index_select gather scatter scatter_add select_backward "
        "slice_backward select_scatter "
        "slice_scatter cat stack repeat roll flip masked_select as_strided_scatter tril triu "
        "_embedding_bag _embedding_bag_forward_only _embedding_bag_backward _embedding_bag_dense_backward "
        "_embedding_bag_per_sample_weights_backward take put bucketize searchsorted rot90 repeat_interleave "
        "masked_scatter scatter_reduce index_add index_copy index_fill");
    add(OpFamily::reduction, "_low_memory_max_pool_with_offsets _low_memory_max_pool_offsets_to_indices");
    add(OpFamily::pointwise, "convert_element_type fma");
    forEachName(kPointwiseNames, [&](std::string_view name) {
        table.emplace(std::string(name), OpFamily::pointwise);
        table.emplace(std::string(name) + "_", OpFamily::pointwise);
    });
    return table;
}

/// "aten.add.Tensor" as "aten.add", "add" and "Tensor".
struct OperatorParts {
    std::string_view packet, name, overload;

    explicit OperatorParts(std::string_view op) : packet(packetOf(op)), name(packet) {
        if (const auto dot = packet.find('.'); dot != std::string_view::npos) name.remove_prefix(dot + 1);
        if (op.size() > packet.size()) overload = op.substr(packet.size() + 1);
    }
};

/// The last resort, for an operator that nobody has described.
bool writesByName(std::string_view op) {
    const auto [packet, name, overload] = OperatorParts(op);
    if (overload.ends_with("functional")) return false;  // the form that writes into copies
    if ((name.ends_with('_') && !name.ends_with("__")) || name.ends_with("_out")) return true;
    // Not in every LibTorch.
    return overload == "out" || overload.ends_with("_out") || op == "symm_mem.nccl_all_to_all_nd.default";
}

}  // namespace

std::uint16_t opTags(std::string_view op) {
    static const TagTable table = makeTags();
    const auto it = table.find(packetOf(op));
    if (it != table.end()) return it->second;
    const bool ours = op.starts_with("aten.") || op.starts_with("prims.") || op.starts_with("higher_order.");
    const OperatorFacts* facts = ours ? nullptr : operatorFacts(op);
    if (!facts) return 0;
    return static_cast<std::uint16_t>((facts->views ? kView : 0) | (facts->random ? kRandom : 0));
}

bool isMutating(std::string_view op) {
    const OperatorFacts* facts = operatorFacts(op);
    return facts ? facts->writes() : writesByName(op);
}

OpFamily opFamily(std::string_view op) {
    static const FamilyTable table = makeFamilies();
    if (communicates(op)) return OpFamily::communication;
    const auto it = table.find(shortOpName(op));
    return it == table.end() ? OpFamily::other : it->second;
}

std::string_view name(OpFamily family) { return family == OpFamily::matmul ? "matrix product" : spelled(family); }

}  // namespace aotscope
