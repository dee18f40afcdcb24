"""Training: self-play PPO over the native vector environment, and the export to ONNX."""
