#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace aotscope {

/// What print_readable() says about the nodes below a comment, besides the source line: requested entries of node.meta,
/// and the annotations of torch.fx.traceback.annotate().
struct NodeComment {
    bool backward = false;       ///< "autograd_backward: True"
    std::int64_t sequence = -1;  ///< "seq_nr: 12": of the autograd node; -1 if not printed
    std::string module;          ///< "module_fqn" of the annotation: "layers.0.attention"
};

/// Reads "# autograd_backward: True, seq_nr: 12 # Annotation: {'module_fqn': 'layers.0'} File: ...".
NodeComment readNodeComment(std::string_view comment);

}  // namespace aotscope
