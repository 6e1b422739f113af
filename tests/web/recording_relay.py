"""TCP relay between a browser and the server that records every byte."""

from __future__ import annotations

import re
import socket
import threading

CHUNK = re.compile(rb"\r\n[0-9a-f]+\r\n")  # between the chunks of a response


class RecordingRelay:
    """Listens at its own port and relays to the server and back."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.pieces: list[bytes] = []  # received from the server, in order
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    @property
    def received(self) -> str:
        """Return everything received as text; compression is disabled."""
        return CHUNK.sub(b"", b"".join(self.pieces)).decode("utf-8", "replace")

    def close(self) -> None:
        for endpoint in (self._listener, *self._open):
            endpoint.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.port))
            self._open += [client, server]
            for direction in ((client, server, False), (server, client, True)):
                threading.Thread(target=self._forward, args=direction, daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket, noted: bool) -> None:
        try:
            while piece := source.recv(65536):
                if noted:
                    self.pieces.append(piece)
                else:
                    piece = piece.replace(b"Accept-Encoding:", b"X-Left-Out-Pack:")
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)
        except OSError:  # one side has closed, so close the other
            source.close()
            target.close()
