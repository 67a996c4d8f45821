#!/usr/bin/env python3
"""A little UDP and TCP for the test of ringside-capture and for the veth recording.

traffic.py ADDRESS serve|send|both|flood: bounded in packets and in time; ports 5001 (UDP) and
5002 (TCP). The packets carry letters, so that a test can show that none of them is recorded.
"""
import socket
import sys
import threading
import time

UDP, TCP = 5001, 5002
SMALL, LARGE, STREAM = 40, 4, 120_000  # datagrams of 64 byte, datagrams of 4000 byte, TCP byte


def letters(size):
    return (b"abcdefghijklmnopqrstuvwxyz" * (size // 26 + 1))[:size]


def serve(address, ready):
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    tcp = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    tcp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    udp.bind((address, UDP))
    tcp.bind((address, TCP))
    tcp.listen()
    udp.settimeout(20)
    tcp.settimeout(20)
    ready()
    for _ in range(SMALL + LARGE):
        udp.recv(65536)
    connection, _ = tcp.accept()
    connection.settimeout(20)
    while connection.recv(16384):
        pass
    connection.close()


def send(address):
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for number in range(SMALL):
        udp.sendto(letters(64), (address, UDP))
        if number % 4 == 3:
            time.sleep(0.002)
    for _ in range(LARGE):
        udp.sendto(letters(4000), (address, UDP))
        time.sleep(0.002)
    with socket.create_connection((address, TCP), timeout=20) as tcp:
        tcp.sendall(letters(STREAM))


def main():
    address, role = sys.argv[1:]
    if role == "serve":
        serve(address, lambda: print("ready", flush=True))
    elif role == "send":
        send(address)
    elif role == "both":
        ready = threading.Event()
        server = threading.Thread(target=serve, args=(address, ready.set))
        server.start()
        ready.wait(5)
        send(address)
        server.join()
    elif role == "flood":
        sink = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sink.bind((address, 0))
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        for _ in range(5000):
            udp.sendto(letters(64), sink.getsockname())
    else:
        sys.exit(__doc__)


main()
