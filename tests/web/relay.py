"""A wire between a browser and the server on which every byte is noted, from the first page on."""

from __future__ import annotations

import re
import socket
import threading

CHUNK = re.compile(rb"\r\n[0-9a-f]+\r\n")  # between the pieces of a stream


class Relay:
    """Listens at a port of its own, and passes on what comes to the server and back."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.pieces: list[bytes] = []  # all that came from the server, in order
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    @property
    def received(self) -> str:
        """All that came, as text; the server was told to pack nothing."""
        return CHUNK.sub(b"", b"".join(self.pieces)).decode("utf-8", "replace")

    def close(self) -> None:
        for one in (self._listening, *self._open):
            one.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.port))
            self._open += [near, far]
            for way in ((near, far, False), (far, near, True)):
                threading.Thread(target=self._pass_on, args=way, daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket, noted: bool) -> None:
        try:
            while piece := source.recv(65536):
                if noted:
                    self.pieces.append(piece)
                else:
                    piece = piece.replace(b"Accept-Encoding:", b"X-Left-Out-Pack:")
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)
        except OSError:  # one side is gone, and so is the other
            source.close()
            target.close()
