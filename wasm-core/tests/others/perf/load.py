"""Three datagrams, one to a closed port, and a short TCP connection, over the loopback device.

The argument is the file that turns the recording on and off.
"""

import socket
import sys
import threading


def record(is_on):
    with open(sys.argv[1], "w", encoding="ascii") as switch:
        switch.write(is_on)


record("1")

reader = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
reader.bind(("127.0.0.1", 0))
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for number in range(3):
    sender.sendto(bytes(100 + number), reader.getsockname())
    reader.recv(2000)
sender.sendto(b"nobody", ("127.0.0.1", 9))

listener = socket.create_server(("127.0.0.1", 0))


def serve():
    connection, _ = listener.accept()
    connection.sendall(connection.recv(4000)[::-1])
    connection.close()


server = threading.Thread(target=serve)
server.start()
client = socket.create_connection(listener.getsockname())
client.sendall(bytes(3000))
client.recv(4000)
client.close()
server.join()
record("0")
