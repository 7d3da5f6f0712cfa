# Layers shared by the samples. Every class is compiled as TorchScript; its attributes (parameters, buffers,
# numbers, submodules) are given by core/load/samples.torch.cpp.


class Linear:
    def forward(self, x: Tensor) -> Tensor:
        return torch.linear(x, self.weight, self.bias)


class Conv2d:
    def forward(self, x: Tensor) -> Tensor:
        return torch.conv2d(x, self.weight, None, [self.stride, self.stride], [self.padding, self.padding])


class BatchNorm2d:
    def forward(self, x: Tensor) -> Tensor:
        if self.training:
            self.num_batches_tracked.add_(1)
        return torch.batch_norm(x, self.weight, self.bias, self.running_mean, self.running_var, self.training, 0.1, 1e-05, True)


class LayerNorm:
    def forward(self, x: Tensor) -> Tensor:
        return torch.layer_norm(x, [self.size], self.weight, self.bias, self.eps)


class Embedding:
    def forward(self, index: Tensor) -> Tensor:
        return torch.embedding(self.weight, index)


class Dropout:
    def forward(self, x: Tensor) -> Tensor:
        return torch.dropout(x, self.p, self.training)
