"""Weights out of an exported file, to train on from where another run ended."""

from pathlib import Path

import onnx
import torch

from solwaris_env.duel.observation import schema_hash
from solwaris_env.errors import SolwarisError
from solwaris_env.files import read_file

from .network import DuelNetwork


def load_weights(path: str | Path, network: DuelNetwork) -> None:
    """Give `network` the weights of an exported file, whatever rules it was trained under.

    Raises:
        SolwarisError: it is no such file, or holds a network of another size or observation.
    """
    data = read_file(path, "ONNX file")
    try:
        model = onnx.load_from_string(data)
        held = {
            item.name: torch.from_numpy(onnx.numpy_helper.to_array(item).copy())
            for item in model.graph.initializer
        }
    except Exception as error:  # protobuf's and onnx's errors share no base class
        raise SolwarisError(f"{path} is no ONNX file") from error
    schema = {item.key: item.value for item in model.metadata_props}.get("observation_schema")
    if schema != schema_hash():
        raise SolwarisError(f"{path} was made for another observation ({schema})")
    weights = dict(network.named_parameters())
    turned = {name: value for name, value in held.items() if name in weights}
    missing = [name for name in weights if name not in turned]
    other = [name for name, value in turned.items() if value.shape != weights[name].shape]
    if missing or other:
        raise SolwarisError(f"{path} holds no network of this size: {(missing + other)[0]} differs")
    with torch.no_grad():
        for name, value in turned.items():
            weights[name].copy_(value)
