#include "support/rule_arguments.h"

namespace aotscope::test {

const Generators& generators() {
    static const Generators all = [] {
        Generators merged;
        for (auto family :
             {attentionGenerators(), collectiveGenerators(), convolutionGenerators(), elementwiseGenerators(),
              indexingGenerators(), linalgGenerators(), lossGenerators(), normalizationGenerators(),
              optimizerGenerators(), quantizationGenerators(), spatialGenerators()})
            merged.merge(family);
        return merged;
    }();
    return all;
}

}  // namespace aotscope::test
