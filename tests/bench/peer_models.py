"""The sample models of aotscope as Python modules: same layers, same sizes, same inputs, training mode; and one more
that aotscope reads from a torch.export file only.

Written from resources/samples/*.py and core/load/samples.cpp. Outputs are tuples, as AOTAutograd wants them.
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

    def forward(self, x):
        batch, length, width = x.shape
        parts = self.attention(self.norm_1(x)).split(width, dim=2)
        q, k, v = (p.view(batch, length, self.heads, width // self.heads).transpose(1, 2) for p in parts)
        y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.projection(y.transpose(1, 2).contiguous().view(batch, length, width))
        return x + self.narrow(functional.gelu(self.wide(self.norm_2(x)), approximate="tanh"))


class GPT(nn.Module):
    """The output layer shares the weight of the token embedding. Dropout is off in the sample, and left out here."""

    def __init__(self, layers, width, heads, vocabulary, positions):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(vocabulary, width), nn.Embedding(positions, width)
        self.blocks = nn.Sequential(*(GPTBlock(width, heads) for _ in range(layers)))
        self.norm = nn.LayerNorm(width)
        for weight in (self.tokens.weight, self.positions.weight):
            nn.init.normal_(weight, std=0.02)

    def forward(self, tokens):
        x = self.tokens(tokens) + self.positions(torch.arange(0, tokens.size(1), device=tokens.device))
        return (functional.linear(self.norm(self.blocks(x)), self.tokens.weight),)


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
    """The hidden states; the sample's second output, the pooled first token, is left out."""

    def __init__(self, layers, width, heads, vocabulary, positions):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(vocabulary, width), nn.Embedding(positions, width)
        self.norm, self.dropout = nn.LayerNorm(width, 1e-12), nn.Dropout(0.1)
        self.layers = nn.Sequential(*(BertLayer(width, heads) for _ in range(layers)))

    def forward(self, tokens):
        x = self.tokens(tokens) + self.positions(torch.arange(0, tokens.size(1), device=tokens.device))
        return (self.layers(self.dropout(self.norm(x))),)


def resnet18():
    return ResNet([2, 2, 2, 2], 1), torch.randn(8, 3, 64, 64)


def resnet50():
    return ResNet([3, 4, 6, 3], 4), torch.randn(4, 3, 64, 64)


def gpt2():
    return GPT(12, 768, 12, 50257, 1024), torch.randint(0, 50257, (2, 64))


def bert_base():
    return Bert(12, 768, 12, 30522, 512), torch.randint(0, 30522, (2, 64))


MODELS = {"resnet18": resnet18, "resnet50": resnet50, "gpt2": gpt2, "bert_base": bert_base}
