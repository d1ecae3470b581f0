package guard

import "net/netip"

// ports are those that https is served on. Any other may belong to something that is no web server, and that could be made
// to do something by what it takes a request for.
var ports = map[uint16]bool{443: true, 8443: true}

// special4 are the IPv4 addresses that are not of the public internet (RFC 6890 and its registry).
var special4 = prefixes(
	"0.0.0.0/8",        // this network (RFC 791)
	"10.0.0.0/8",       // private (RFC 1918)
	"100.64.0.0/10",    // carrier-grade NAT (RFC 6598), and metadata of some clouds
	"127.0.0.0/8",      // loopback (RFC 1122)
	"168.63.129.16/32", // metadata of a cloud, at an address that looks public
	"169.254.0.0/16",   // link-local (RFC 3927), and the metadata of most clouds at 169.254.169.254
	"172.16.0.0/12",    // private (RFC 1918)
	"192.0.0.0/24",     // protocol assignments (RFC 6890)
	"192.0.2.0/24",     // documentation (RFC 5737)
	"192.88.99.0/24",   // 6to4 relays (RFC 7526)
	"192.168.0.0/16",   // private (RFC 1918)
	"198.18.0.0/15",    // benchmarks (RFC 2544)
	"198.51.100.0/24",  // documentation (RFC 5737)
	"203.0.113.0/24",   // documentation (RFC 5737)
	"224.0.0.0/4",      // multicast (RFC 5771)
	"240.0.0.0/4",      // reserved, and broadcast (RFC 1112, RFC 919)
)

// global6 is all that is given out for the public internet of IPv6 (RFC 4291, 2.4). Loopback, link-local, site-local and
// unique local addresses, multicast, IPv4 within IPv6, and metadata at fd00:ec2::254 are all outside it.
var global6 = netip.MustParsePrefix("2000::/3")

// special6 are the exceptions inside it.
var special6 = prefixes(
	"2001::/23",     // protocol assignments (RFC 2928): Teredo, which embeds IPv4 (RFC 4380), benchmarks, ORCHID
	"2001:db8::/32", // documentation (RFC 3849)
	"2002::/16",     // 6to4, which embeds IPv4 (RFC 3056)
	"3fff::/20",     // documentation (RFC 9637)
)

// nat64 is how a network of IPv6 alone reaches IPv4: what counts is the IPv4 address in the last four bytes (RFC 6052, 2.1).
// The prefix for local use, 64:ff9b:1::/48 (RFC 8215), is nobody's but the network's own.
var nat64 = netip.MustParsePrefix("64:ff9b::/96")

func prefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParsePrefix(text)
	}
	return list
}

// public reports whether an address is one of the public internet.
func public(address netip.Addr) bool {
	switch {
	case address.Is4():
		return !within(special4, address)
	case address.Zone() != "":
		return false
	case nat64.Contains(address):
		bytes := address.As16()
		return !within(special4, netip.AddrFrom4([4]byte(bytes[12:])))
	}
	return global6.Contains(address) && !within(special6, address)
}

func within(list []netip.Prefix, address netip.Addr) bool {
	for _, prefix := range list {
		if prefix.Contains(address) {
			return true
		}
	}
	return false
}
