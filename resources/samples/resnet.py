# Deep Residual Learning for Image Recognition, He et al., 2015 (arXiv 1512.03385), figure 5.


class BasicBlock:
    def forward(self, x: Tensor) -> Tensor:
        out = torch.relu_(self.bn1.forward(self.conv1.forward(x)))
        out = self.bn2.forward(self.conv2.forward(out))
        out += x
        return torch.relu_(out)


class BasicBlockDown:
    def forward(self, x: Tensor) -> Tensor:
        out = torch.relu_(self.bn1.forward(self.conv1.forward(x)))
        out = self.bn2.forward(self.conv2.forward(out))
        out += self.downsample.forward(x)
        return torch.relu_(out)


class Bottleneck:
    def forward(self, x: Tensor) -> Tensor:
        out = torch.relu_(self.bn1.forward(self.conv1.forward(x)))
        out = torch.relu_(self.bn2.forward(self.conv2.forward(out)))
        out = self.bn3.forward(self.conv3.forward(out))
        out += x
        return torch.relu_(out)


class BottleneckDown:
    def forward(self, x: Tensor) -> Tensor:
        out = torch.relu_(self.bn1.forward(self.conv1.forward(x)))
        out = torch.relu_(self.bn2.forward(self.conv2.forward(out)))
        out = self.bn3.forward(self.conv3.forward(out))
        out += self.downsample.forward(x)
        return torch.relu_(out)


class ResNet:
    def forward(self, x: Tensor) -> Tensor:
        x = torch.relu_(self.bn1.forward(self.conv1.forward(x)))
        x = torch.max_pool2d(x, [3, 3], [2, 2], [1, 1])
        x = self.layer1.forward(x)
        x = self.layer2.forward(x)
        x = self.layer3.forward(x)
        x = self.layer4.forward(x)
        x = torch.flatten(torch.adaptive_avg_pool2d(x, [1, 1]), 1)
        return self.fc.forward(x)
