"""The client for asyncio, on httpx: `pip install "tarishi-client[async]"`."""

from .client import AsyncTarishi

__all__ = ["AsyncTarishi"]
