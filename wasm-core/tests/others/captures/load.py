"""One datagram each way and a TCP connection, over IPv4 and over IPv6."""

import socket
import threading

for family, host in [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")]:
    reader = socket.socket(family, socket.SOCK_DGRAM)
    reader.bind((host, 45001))
    sender = socket.socket(family, socket.SOCK_DGRAM)
    sender.sendto(b"\xff" * 8 + bytes([0, 0, 0, 1, 0, 0, 0, 7]) + bytes(700), (host, 45001))
    data, peer = reader.recvfrom(2000)
    reader.sendto(data[:9], peer)
    listener = socket.create_server((host, 45002), family=family)

    def serve():
        connection, _ = listener.accept()
        connection.sendall(connection.recv(4000)[::-1])
        connection.close()

    server = threading.Thread(target=serve)
    server.start()
    client = socket.create_connection((host, 45002))
    client.sendall(bytes(3000))
    client.recv(4000)
    client.close()
    server.join()
    listener.close()
