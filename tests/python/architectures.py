"""Real architectures in small configurations with random weights, as far as their libraries are installed."""

from __future__ import annotations

import contextlib
import importlib
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

VARIABLE = "AOTSCOPE_REAL_MODELS"  # a folder of exported programs (.pt2)


@dataclass
class Example:
    """A model with example inputs."""

    module: nn.Module
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] | None = None
    file: Path | None = None  # of an exported program
    compiles: bool = True  # torch.compile captures it whole


class Returning(nn.Module):
    """The results of a transformers model under these names, as a tuple."""

    def __init__(self, model: nn.Module, *names: str) -> None:
        super().__init__()
        self.model, self.names = model, names

    def forward(self, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        found = self.model(*args, **kwargs)
        return tuple(found[name] for name in self.names)


def _transformers(config: str, model: str, **sizes: Any) -> nn.Module:
    library: Any = importlib.import_module("transformers")
    module: nn.Module = getattr(library, model)(getattr(library, config)(**sizes))
    return module


def _words(count: int = 99, length: int = 12) -> torch.Tensor:
    return torch.randint(0, count, (2, length))


_ENCODER = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
_NO_DROPOUT = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}


def gpt2() -> Example:
    sizes = {"vocab_size": 99, "n_positions": 32, "n_embd": 32, "n_layer": 2, "n_head": 2}
    dropout = {"resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0}
    model = _transformers("GPT2Config", "GPT2LMHeadModel", **sizes, **dropout, use_cache=False)
    return Example(Returning(model, "logits"), (), {"input_ids": _words()})


def bert() -> Example:
    model = _transformers("BertConfig", "BertForSequenceClassification", vocab_size=99, **_ENCODER, **_NO_DROPOUT)
    mask = torch.ones(2, 12, dtype=torch.long)
    mask[1, 9:] = 0
    kwargs = {"input_ids": _words(), "attention_mask": mask, "labels": torch.tensor([0, 1])}
    return Example(Returning(model, "loss", "logits"), (), kwargs)


def albert() -> Example:
    model = _transformers(
        "AlbertConfig", "AlbertForMaskedLM", vocab_size=99, embedding_size=16, **_ENCODER, **_NO_DROPOUT
    )
    return Example(Returning(model, "logits"), (), {"input_ids": _words()})


def llama() -> Example:
    words = _words()
    model = _transformers(
        "LlamaConfig", "LlamaForCausalLM", vocab_size=99, num_key_value_heads=1, use_cache=False, **_ENCODER
    )
    return Example(Returning(model, "loss", "logits"), (), {"input_ids": words, "labels": words})


def t5() -> Example:
    sizes = {"vocab_size": 99, "d_model": 32, "d_kv": 16, "d_ff": 64, "num_layers": 2, "num_heads": 2}
    model = _transformers(
        "T5Config",
        "T5ForConditionalGeneration",
        **sizes,
        dropout_rate=0.0,
        use_cache=False,
        decoder_start_token_id=0,
        pad_token_id=0,
    )
    return Example(Returning(model, "loss", "logits"), (), {"input_ids": _words(), "labels": _words(99, 7)})


def vit() -> Example:
    model = _transformers(
        "ViTConfig", "ViTForImageClassification", image_size=32, patch_size=8, **_ENCODER, **_NO_DROPOUT
    )
    return Example(Returning(model, "logits"), (torch.randn(2, 3, 32, 32),))


def swin() -> Example:
    sizes = {"image_size": 32, "patch_size": 2, "embed_dim": 16, "depths": [2, 2], "num_heads": [2, 4]}
    model = _transformers(
        "SwinConfig", "SwinForImageClassification", **sizes, window_size=4, drop_path_rate=0.0, **_NO_DROPOUT
    )
    return Example(Returning(model, "logits"), (torch.randn(2, 3, 32, 32),))


def segformer() -> Example:
    sizes = {"depths": [1, 1, 1, 1], "hidden_sizes": [8, 16, 24, 32], "decoder_hidden_size": 16}
    dropout = {"classifier_dropout_prob": 0.0, "drop_path_rate": 0.0}
    model = _transformers(
        "SegformerConfig",
        "SegformerForSemanticSegmentation",
        **sizes,
        **dropout,
        num_attention_heads=[1, 1, 2, 2],
        **_NO_DROPOUT,
    )
    return Example(Returning(model, "logits"), (torch.randn(2, 3, 64, 64),))


def wav2vec2() -> Example:
    sizes = {"conv_dim": [16, 16], "conv_stride": [5, 4], "conv_kernel": [10, 8], "num_conv_pos_embeddings": 4}
    dropout = {"hidden_dropout": 0.0, "attention_dropout": 0.0, "activation_dropout": 0.0, "feat_proj_dropout": 0.0}
    model = _transformers(
        "Wav2Vec2Config",
        "Wav2Vec2Model",
        **sizes,
        **dropout,
        **_ENCODER,
        num_conv_pos_embedding_groups=2,
        layerdrop=0.0,
        mask_time_prob=0.0,
    )
    return Example(Returning(model, "last_hidden_state"), (torch.randn(2, 800),), compiles=False)


def _torchvision(name: str) -> Example:
    """With enough elements for each batch norm: gradients of few are ill-conditioned."""
    library: Any = importlib.import_module("torchvision.models")
    return Example(getattr(library, name)(num_classes=5), (torch.randn(4, 3, 64, 64),))


def convnext() -> Example:
    library: Any = importlib.import_module("timm.models.convnext")
    return Example(
        library.ConvNeXt(num_classes=5, depths=(1, 1, 2, 1), dims=(8, 16, 24, 32)), (torch.randn(2, 3, 64, 64),)
    )


def mixer() -> Example:
    library: Any = importlib.import_module("timm.models.mlp_mixer")
    sizes = {"img_size": 32, "patch_size": 8, "num_blocks": 2, "embed_dim": 32}
    return Example(library.MlpMixer(num_classes=5, **sizes), (torch.randn(2, 3, 32, 32),))


MODELS: dict[str, Callable[[], Example]] = {
    "gpt2": gpt2,
    "bert": bert,
    "albert": albert,
    "llama": llama,
    "t5": t5,
    "vit": vit,
    "swin": swin,
    "segformer": segformer,
    "wav2vec2": wav2vec2,
    "resnet18": lambda: _torchvision("resnet18"),
    "mobilenet_v3": lambda: _torchvision("mobilenet_v3_small"),
    "shufflenet_v2": lambda: _torchvision("shufflenet_v2_x0_5"),
    "convnext": convnext,
    "mixer": mixer,
}


def _register_output(name: str) -> None:
    """The result of a transformers model: its own class, or a dictionary if the library is missing."""
    module, _, kind = name.rpartition(".")
    try:
        importlib.import_module(module)
    except ImportError:
        stand_in = type(kind, (dict,), {"__module__": module})
        with contextlib.suppress(ValueError):  # it is there already
            torch.utils._pytree.register_pytree_node(
                stand_in,
                lambda values: (list(values.values()), list(values)),
                lambda values, names: stand_in(zip(names, values)),
                serialized_type_name=name,
            )


def load(file: Path) -> Example:
    """An exported program with its inputs."""
    content = file.read_bytes()
    for name in set(re.findall(rb"transformers(?:\.\w+)+Output\w*", content)):
        _register_output(name.decode())
    if b"quantized_decomposed" in content:
        importlib.import_module("torch.ao.quantization.fx._decomposed")  # which registers them
    program = torch.export.load(file)
    args, kwargs = program.example_inputs
    return Example(program.module(), tuple(args), dict(kwargs), file)


def examples(wanted: str = "") -> Iterator[tuple[str, Callable[[], Example]]]:
    """By name; `wanted`: parts of names, separated by commas."""
    parts = [part for part in wanted.split(",") if part]
    folder = os.environ.get(VARIABLE)
    files = sorted(Path(folder).glob("*.pt2")) if folder else []
    known = {**MODELS, **{file.name: (lambda file=file: load(file)) for file in files}}
    for name, make in known.items():
        if not parts or any(part in name for part in parts):
            yield name, make
