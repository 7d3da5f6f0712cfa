"""The measured models of aotscope as Python modules: same layers, same sizes, same inputs, training mode.

Written from resources/samples/*.py, core/load/samples.torch.cpp and step_models.cpp. Outputs are tuples, as AOTAutograd wants
them.
"""

import torch
from torch import nn
from torch.nn import functional


def convolution(inputs, outputs, kernel, stride=1):
    return nn.Conv2d(inputs, outputs, kernel, stride=stride, padding=kernel // 2, bias=False)


class ResidualBlock(nn.Module):
    """Expansion 1: two 3x3 convolutions; expansion 4: a bottleneck."""

    def __init__(self, inputs, width, stride, expansion):
        super().__init__()
        outputs = width * expansion
        if expansion == 1:
            layers = [convolution(inputs, width, 3, stride), convolution(width, outputs, 3)]
        else:
            layers = [convolution(inputs, width, 1), convolution(width, width, 3, stride), convolution(width, outputs, 1)]
        self.convolutions = nn.ModuleList(layers)
        self.norms = nn.ModuleList(nn.BatchNorm2d(layer.out_channels) for layer in layers)
        self.downsample = None
        if stride != 1 or inputs != outputs:
            self.downsample = nn.Sequential(convolution(inputs, outputs, 1, stride), nn.BatchNorm2d(outputs))

    def forward(self, x):
        out = x
        last = len(self.convolutions) - 1
        for i, (layer, norm) in enumerate(zip(self.convolutions, self.norms)):
            out = norm(layer(out))
            if i < last:
                out = out.relu_()
        out += x if self.downsample is None else self.downsample(x)
        return out.relu_()


class ResNet(nn.Module):
    def __init__(self, depths, expansion):
        super().__init__()
        self.stem = convolution(3, 64, 7, 2)
        self.norm = nn.BatchNorm2d(64)
        blocks, inputs = [], 64
        for layer, depth in enumerate(depths):
            width = 64 << layer
            for i in range(depth):
                blocks.append(ResidualBlock(inputs, width, 2 if layer > 0 and i == 0 else 1, expansion))
                inputs = width * expansion
        self.blocks = nn.Sequential(*blocks)
        self.fc = nn.Linear(inputs, 1000)

    def forward(self, x):
        x = self.norm(self.stem(x)).relu_()
        x = functional.max_pool2d(x, 3, 2, 1)
        x = self.blocks(x)
        x = functional.adaptive_avg_pool2d(x, 1).flatten(1)
        return (self.fc(x),)


class GPTBlock(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm_1, self.norm_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention, self.projection = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(0.0)

    def forward(self, x):
        batch, length, width = x.shape
        parts = self.attention(self.norm_1(x)).split(width, dim=2)
        q, k, v = (p.view(batch, length, self.heads, width // self.heads).transpose(1, 2) for p in parts)
        y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.dropout(self.projection(y.transpose(1, 2).contiguous().view(batch, length, width)))
        return x + self.dropout(self.narrow(functional.gelu(self.wide(self.norm_2(x)), approximate="tanh")))


class GPT(nn.Module):
    """The output layer shares the weight of the token embedding. Dropout is off, as in the sample: traced, it copies."""

    def __init__(self, layers, width, heads, vocabulary, positions):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(vocabulary, width), nn.Embedding(positions, width)
        self.blocks = nn.Sequential(*(GPTBlock(width, heads) for _ in range(layers)))
        self.norm, self.dropout = nn.LayerNorm(width), nn.Dropout(0.0)
        for weight in (self.tokens.weight, self.positions.weight):
            nn.init.normal_(weight, std=0.02)

    def forward(self, tokens):
        x = self.tokens(tokens) + self.positions(torch.arange(0, tokens.size(1), device=tokens.device))
        return (functional.linear(self.norm(self.blocks(self.dropout(x))), self.tokens.weight),)


class BertLayer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.mixed = (nn.Linear(width, width) for _ in range(4))
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norm_1, self.norm_2 = nn.LayerNorm(width, 1e-12), nn.LayerNorm(width, 1e-12)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (
            layer(x).view(batch, length, self.heads, width // self.heads).transpose(1, 2)
            for layer in (self.query, self.key, self.value)
        )
        y = functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(batch, length, width)
        x = self.norm_1(x + self.dropout(self.mixed(y)))
        return self.norm_2(x + self.dropout(self.narrow(functional.gelu(self.wide(x)))))


class Bert(nn.Module):
    """The hidden states, and the pooled first token."""

    def __init__(self, layers, width, heads, vocabulary, positions):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(vocabulary, width), nn.Embedding(positions, width)
        self.segments = nn.Embedding(2, width)
        self.norm, self.dropout = nn.LayerNorm(width, 1e-12), nn.Dropout(0.1)
        self.layers = nn.Sequential(*(BertLayer(width, heads) for _ in range(layers)))
        self.pooler = nn.Linear(width, width)

    def forward(self, tokens, segments):
        positions = torch.arange(0, tokens.size(1), device=tokens.device)
        x = self.tokens(tokens) + self.positions(positions) + self.segments(segments)
        x = self.layers(self.dropout(self.norm(x)))
        return x, torch.tanh(self.pooler(x.select(1, 0)))


def mobile_convolution(inputs, outputs, kernel, stride, groups):
    layer = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(outputs))


class InvertedResidual(nn.Module):
    def __init__(self, inputs, outputs, stride, expansion):
        super().__init__()
        width = inputs * expansion
        layers = [] if expansion == 1 else [mobile_convolution(inputs, width, 1, 1, 1), nn.ReLU6(inplace=True)]
        layers += [mobile_convolution(width, width, 3, stride, width), nn.ReLU6(inplace=True)]
        self.body = nn.Sequential(*layers, mobile_convolution(width, outputs, 1, 1, 1))
        self.skips = stride == 1 and inputs == outputs

    def forward(self, x):
        return x + self.body(x) if self.skips else self.body(x)


class MobileNet(nn.Module):
    STAGES = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))

    def __init__(self):
        super().__init__()
        layers, inputs = [mobile_convolution(3, 32, 3, 2, 1), nn.ReLU6(inplace=True)], 32
        for expansion, channels, count, stride in self.STAGES:
            for i in range(count):
                layers.append(InvertedResidual(inputs, channels, stride if i == 0 else 1, expansion))
                inputs = channels
        self.features = nn.Sequential(*layers, mobile_convolution(inputs, 1280, 1, 1, 1), nn.ReLU6(inplace=True))
        self.fc = nn.Linear(1280, 1000)

    def forward(self, x):
        return (self.fc(functional.adaptive_avg_pool2d(self.features(x), 1).flatten(1)),)


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(64, 256), nn.Linear(256, 256), nn.Linear(256, 10)])

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        return (self.layers[-1](x),)


class Chain(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(64))

    def forward(self, x):
        h = x * self.w
        for _ in range(6):
            h = torch.sin(h) * torch.cos(h) + torch.sigmoid(h)
        return (h.sum(1),)


class AddedNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(768)

    def forward(self, x, y):
        return (self.norm(x + y),)


class Gelu(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(3072))

    def forward(self, x):
        return (functional.gelu(x + self.bias),)


class MaskedSoftmax(nn.Module):
    def forward(self, x, mask):
        return (torch.softmax(x * 0.125 + mask, -1),)


def resnet18():
    return ResNet([2, 2, 2, 2], 1), (torch.randn(8, 3, 64, 64),)


def resnet50():
    return ResNet([3, 4, 6, 3], 4), (torch.randn(4, 3, 64, 64),)


def gpt2():
    return GPT(12, 768, 12, 50257, 1024), (torch.randint(0, 50257, (2, 64)),)


def bert():
    return Bert(12, 768, 12, 30522, 512), (torch.randint(0, 30522, (2, 64)), torch.randint(0, 2, (2, 64)))


def learned(*sizes):
    return torch.randn(sizes, requires_grad=True)


MODELS = {
    "resnet18": resnet18,
    "resnet50": resnet50,
    "gpt2": gpt2,
    "bert": bert,
    "mobilenet": lambda: (MobileNet(), (torch.randn(8, 3, 64, 64),)),
    "mlp": lambda: (MLP(), (torch.randn(32, 64),)),
    "chain": lambda: (Chain(), (torch.randn(128, 64),)),
    "layer-norm": lambda: (AddedNorm(), (learned(512, 768), learned(512, 768))),
    "gelu": lambda: (Gelu(), (learned(512, 3072),)),
    "softmax": lambda: (MaskedSoftmax(), (learned(4, 12, 128, 128), torch.randn(4, 1, 1, 128))),
}
