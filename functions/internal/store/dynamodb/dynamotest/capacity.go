package dynamotest

import "sync/atomic"

// halves: capacity units come in halves.
const halves = 2

// Capacity counts the units that a table says its calls consumed, while it is told to: its Add is for
// dynamodb.Options.OnCapacity.
type Capacity struct {
	counting      atomic.Bool
	written, read atomic.Int64
}

// Count starts or stops the counting.
func (c *Capacity) Count(counting bool) { c.counting.Store(counting) }

// Add takes in what a call consumed.
func (c *Capacity) Add(op string, units float64) {
	if !c.counting.Load() {
		return
	}
	counter := &c.read
	if op == "PutItem" || op == "DeleteItem" {
		counter = &c.written
	}
	counter.Add(int64(units * halves))
}

// Written are the write units counted.
func (c *Capacity) Written() float64 { return float64(c.written.Load()) / halves }

// Read are the read units counted.
func (c *Capacity) Read() float64 { return float64(c.read.Load()) / halves }
