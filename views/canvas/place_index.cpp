#include "canvas/place_index.h"

namespace aotscope {

namespace {

QRectF extentOf(const EdgeShape& shape) {
    if (!shape.stub) return shape.path.controlPointRect().adjusted(-8, -8, 8, 8);
    constexpr double arrow = 20;
    return QRectF(shape.start, shape.end).normalized().adjusted(-arrow, -arrow, arrow, arrow) | shape.startLabel.place |
           shape.endLabel.place;
}

template <typename Item, typename Place>
RowIndex indexOf(const std::vector<Item>& items, Place&& place) {
    std::vector<QRectF> places;
    places.reserve(items.size());
    for (const Item& item : items) places.push_back(place(item));
    return RowIndex(places);
}

}  // namespace

PlaceIndex::PlaceIndex(const GraphLayout& layout)
    : boxes(layout.boxes),
      edges(indexOf(layout.edges, extentOf)),
      frames(indexOf(layout.frames, [](const GroupFrame& frame) { return frame.rect; })) {}

}  // namespace aotscope
