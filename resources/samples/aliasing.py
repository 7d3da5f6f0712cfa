# Programs that write into their inputs and return views: what AOTAutograd's metadata is about.


class Aliasing:
    def forward(self, x: Tensor, left: Tensor, right: Tensor, steps: Tensor) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
        steps.add_(1)
        left.mul_(2)
        hidden = torch.relu(x * self.scale + right.sum())
        return x.view([-1]), hidden.t(), hidden.view([-1]), left + right


class Mutations:
    def forward(self, data: Tensor, shape: Tensor, both: Tensor, fixed: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
        data.add_(fixed)
        shape.t_()
        both.mul_(self.scale)
        both.t_()
        return torch.mm(shape, both), data, fixed.select(0, 1)
