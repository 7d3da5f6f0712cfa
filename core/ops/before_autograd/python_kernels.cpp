#include "ops/before_autograd/python_kernels.h"

#include "support/enumerators.h"

namespace aotscope {

namespace {

using enum KernelTreatment;

constexpr const char* kNearest =
    "kept as it is where the formula reads other elements than the kernel, or elements beyond the input";
constexpr const char* kLinear =
    "kept as it is for integers, which kernels round in a way of their own, and where the formula reads beyond the "
    "input";
constexpr const char* kSame = "LibTorch's own kernel calls the same operations";
constexpr const char* kPacked = "tracing stops at packed sequences, in Python as here: their lengths are data";
constexpr const char* kRecurrent =
    "not for inputs without elements; the dropout between layers, which Python forgets, stays";
constexpr const char* kCubic = "kept as it is for integers, which kernels round in a way of their own";

}  // namespace

std::string_view name(KernelTreatment treatment) { return spelled(treatment); }

const std::vector<PythonKernel>& pythonKernels() {
    static const std::vector<PythonKernel> kernels = {
        {"aten._upsample_bicubic2d_aa.vec", followed, "", kSame},
        {"aten._upsample_bilinear2d_aa.vec", followed, "", kSame},
        {"aten._upsample_lanczos2d_aa.vec", followed, "", kSame},
        {"aten._upsample_nearest_exact1d.default", followed, "upsample_nearest", kNearest},
        {"aten._upsample_nearest_exact1d.vec", followed, "upsample_nearest", kNearest},
        {"aten._upsample_nearest_exact2d.default", followed, "upsample_nearest", kNearest},
        {"aten._upsample_nearest_exact2d.vec", followed, "upsample_nearest", kNearest},
        {"aten._upsample_nearest_exact3d.default", followed, "upsample_nearest", kNearest},
        {"aten._upsample_nearest_exact3d.vec", followed, "upsample_nearest", kNearest},
        {"aten.broadcast_tensors.default", followed, "", kSame},
        {"aten.cudnn_batch_norm.default", cannotOccur, "",
         "batch_norm on a GPU becomes native_batch_norm before it comes to that"},
        {"aten.dropout.default", followed, "dropout",
         "where it drops nothing, it returns its input if that is written to later or returned itself: a copy, as in "
         "Python, would show"},
        {"aten.empty.out", notFollowed, "",
         "LibTorch's functionalization takes out= away; the values of an empty tensor mean nothing"},
        {"aten.gru.data", cannotOccur, "", kPacked},
        {"aten.gru.input", followed, "gru", kRecurrent},
        {"aten.hardshrink.default", followed, "hardshrink", ""},
        {"aten.istft.default", followed, "istft", ""},
        {"aten.lstm.data", cannotOccur, "", kPacked},
        {"aten.lstm.input", followed, "lstm",
         "the dropout between layers, and training mode of oneDNN's layers, which Python forgets, stay"},
        {"aten.matmul.default", followed, "batched_matmul",
         "for products of batches, also with a vector; of the others, LibTorch's own kernel calls the same operations"},
        {"aten.matmul.out", notFollowed, "",
         "LibTorch's functionalization takes out= away before matmul is taken apart"},
        {"aten.miopen_batch_norm.default", cannotOccur, "", "LibTorch for AMD GPUs is not supported"},
        {"aten.multi_margin_loss.default", followed, "multi_margin_loss", ""},
        {"aten.multilabel_margin_loss_forward.default", followed, "multilabel_margin_loss",
         "as in 2.15: 2.13 adds losses for the places after the first -1"},
        {"aten.native_batch_norm.default", followed, "native_batch_norm", ""},
        {"aten.one_hot.default", followed, "one_hot", ""},
        {"aten.pad_sequence.default", followed, "pad_sequence", ""},
        {"aten.rnn_relu.data", cannotOccur, "", kPacked},
        {"aten.rnn_relu.input", followed, "rnn", kRecurrent},
        {"aten.rnn_tanh.data", cannotOccur, "", kPacked},
        {"aten.rnn_tanh.input", followed, "rnn", kRecurrent},
        {"aten.softshrink.default", followed, "softshrink", ""},
        {"aten.stft.center", followed, "stft", ""},
        {"aten.tensor_split.tensor_indices_or_sections", followed, "split_by_tensor", ""},
        {"aten.to_dense.default", cannotOccur, "",
         "sparse tensors are not traced; of others, it is a conversion of the dtype"},
        {"aten.unsafe_chunk.default", followed, "", kSame},
        {"aten.upsample_bicubic2d.default", followed, "upsample_bicubic", kCubic},
        {"aten.upsample_bicubic2d.vec", followed, "upsample_bicubic", kCubic},
        {"aten.upsample_bilinear2d.default", followed, "upsample_linear", kLinear},
        {"aten.upsample_bilinear2d.vec", followed, "upsample_linear", kLinear},
        {"aten.upsample_linear1d.vec", followed, "upsample_linear", kLinear},
        {"aten.upsample_nearest1d.default", followed, "upsample_nearest", kNearest},
        {"aten.upsample_nearest1d.vec", followed, "upsample_nearest", kNearest},
        {"aten.upsample_nearest2d.default", followed, "upsample_nearest", kNearest},
        {"aten.upsample_nearest2d.vec", followed, "upsample_nearest", kNearest},
        {"aten.upsample_nearest3d.default", followed, "upsample_nearest", kNearest},
        {"aten.upsample_nearest3d.vec", followed, "upsample_nearest", kNearest},
        {"aten.upsample_trilinear3d.vec", followed, "upsample_linear", kLinear},
    };
    return kernels;
}

}  // namespace aotscope
