package guard

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"
)

// nameServer is a DNS server of which every name has one IPv4 address: the next of a list, and then always its last.
type nameServer struct {
	mu        sync.Mutex
	addresses []netip.Addr
}

// resolver asks a new name server.
func resolver(t *testing.T, addresses ...string) *net.Resolver {
	t.Helper()
	var s nameServer
	for _, address := range addresses {
		s.addresses = append(s.addresses, netip.MustParseAddr(address))
	}
	conn, err := new(net.ListenConfig).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	go s.serve(conn)
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

func (s *nameServer) serve(conn net.PacketConn) {
	buffer := make([]byte, 1500)
	for {
		n, from, err := conn.ReadFrom(buffer)
		if err != nil {
			return
		}
		var query dnsmessage.Message
		if query.Unpack(buffer[:n]) != nil || len(query.Questions) != 1 {
			continue
		}
		if answer, err := s.answer(query); err == nil {
			_, _ = conn.WriteTo(answer, from)
		}
	}
}

func (s *nameServer) answer(query dnsmessage.Message) ([]byte, error) {
	question := query.Questions[0]
	reply := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: query.ID, Response: true, Authoritative: true, RecursionAvailable: true},
		Questions: query.Questions,
	}
	if question.Type == dnsmessage.TypeA {
		reply.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: question.Name, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET},
			Body:   &dnsmessage.AResource{A: s.next().As4()},
		}}
	}
	return reply.Pack()
}

func (s *nameServer) next() netip.Addr {
	s.mu.Lock()
	defer s.mu.Unlock()
	address := s.addresses[0]
	if len(s.addresses) > 1 {
		s.addresses = s.addresses[1:]
	}
	return address
}
