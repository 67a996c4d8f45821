// What ns-3 does with one TCP bulk transfer, as a scale for our own simulator: one flow, one
// link of 1 Gbit/s with 50 us delay, segments of 1448 bytes, no tracing. Prints data packets
// and events per second of wall time. `npm run bench -- ns3` compiles and runs it.
#include <chrono>
#include <cstdlib>
#include <iostream>

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

using namespace ns3;

int main(int argc, char *argv[]) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 10; // simulated
  const uint32_t segment = 1448;
  Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(segment));

  NodeContainer nodes(2);
  PointToPointHelper link;
  link.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
  link.SetChannelAttribute("Delay", StringValue("50us"));
  NetDeviceContainer devices = link.Install(nodes);
  InternetStackHelper().Install(nodes);
  Ipv4InterfaceContainer ends = Ipv4AddressHelper("192.0.2.0", "255.255.255.0").Assign(devices);

  const InetSocketAddress server(ends.GetAddress(1), 5001);
  BulkSendHelper sender("ns3::TcpSocketFactory", server);
  sender.SetAttribute("SendSize", UintegerValue(segment));
  sender.Install(nodes.Get(0));
  ApplicationContainer sinks = PacketSinkHelper("ns3::TcpSocketFactory", server).Install(nodes.Get(1));

  Simulator::Stop(Seconds(seconds));
  const auto began = std::chrono::steady_clock::now();
  Simulator::Run();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;

  const uint64_t packets = DynamicCast<PacketSink>(sinks.Get(0))->GetTotalRx() / segment;
  const uint64_t events = Simulator::GetEventCount();
  std::cout << "simulated_seconds " << seconds << "\nwall_seconds " << wall.count()
            << "\npackets " << packets << "\nevents " << events << std::fixed
            << "\npackets_per_second " << packets / wall.count()
            << "\nevents_per_second " << events / wall.count() << std::endl;
  Simulator::Destroy();
}
