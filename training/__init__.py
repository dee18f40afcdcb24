"""Training: self-play PPO over the native vector environment, and the export to ONNX."""

import os

# Torch's threads spin while they wait: where others use the cores too, that costs two thirds
# of the speed. Read by OpenMP when torch is first imported.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
