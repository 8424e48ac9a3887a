"""What all tests share: where the optional shared data is."""

from __future__ import annotations

import os
from pathlib import Path

# What gRPC (of Milvus) has to tell of its connections would stand among what other tests' commands print.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = REPOSITORY.parent / "shared"
