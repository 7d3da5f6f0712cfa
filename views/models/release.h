#pragma once

#include <QThreadPool>

#include <utility>

namespace aotscope {

/// Destroys what may be large in the background: that of 100,000 nodes takes as long as several pictures.
template <typename Object>
void releaseInBackground(Object object) {
    QThreadPool::globalInstance()->start([object = std::move(object)] {});
}

}  // namespace aotscope
