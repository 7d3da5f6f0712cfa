#pragma once

#include <QThreadPool>

#include <utility>

namespace aotscope {

/// Destroys large objects in the background: with 100,000 nodes it takes as long as several frames.
template <typename Object>
void releaseInBackground(Object object) {
    QThreadPool::globalInstance()->start([object = std::move(object)] {});
}

}  // namespace aotscope
