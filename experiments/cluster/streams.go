package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tune2048/engine/simulator"
)

// The streams are in the memory of a server, and all that they hold may be lost at any moment. What is here reads results from them,
// and finds out when they, or what they should hold, are gone.

// readResults takes results until ctx is done, and brings streams back that were lost.
func (c *Coordinator) readResults(ctx context.Context) {
	select {
	case <-c.begun:
	case <-ctx.Done():
	}
	reconnected := make(chan struct{}, 1)
	c.nats.SetReconnectHandler(func(*nats.Conn) {
		select {
		case reconnected <- struct{}{}:
		default:
		}
	})
	for ctx.Err() == nil {
		reading, stop := context.WithCancelCause(ctx)
		go func() {
			select {
			case <-reconnected:
				stop(nil)
			case err := <-c.doubt:
				stop(err)
			case <-reading.Done():
			}
		}()
		err := c.readStream(reading)
		if why := context.Cause(reading); why != nil {
			err = why
		}
		stop(nil)
		if errors.Is(err, context.Canceled) { // reconnected, or done
			continue
		}
		c.warnAway(err)
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
	}
}

// prepare makes what workers wait for.
func (c *Coordinator) prepare(ctx context.Context) error {
	if err := prepare(ctx, c.js); err != nil {
		return err
	}
	_, err := consumerFor(ctx, c.js, simulator.Signature)
	return err
}

// readStream reads results until it cannot.
func (c *Coordinator) readStream(ctx context.Context) error {
	if err := c.prepare(ctx); err != nil {
		return err
	}
	jobs, err := c.js.Stream(ctx, jobsStream)
	if err != nil {
		return err
	}
	results, err := c.js.CreateConsumer(ctx, resultsStream, jetstream.ConsumerConfig{
		FilterSubject: resultsPrefix + c.run, AckPolicy: jetstream.AckNonePolicy, DeliverPolicy: jetstream.DeliverAllPolicy,
		InactiveThreshold: time.Minute, MemoryStorage: true,
	})
	if err != nil {
		return err
	}
	told, err := c.js.Stream(ctx, resultsStream)
	if err != nil {
		return err
	}
	c.found([2]time.Time{jobs.CachedInfo().Created, told.CachedInfo().Created})
	messages, err := results.Messages(jetstream.PullMaxMessages(256), jetstream.PullHeartbeat(5*time.Second))
	if err != nil {
		return err
	}
	defer messages.Stop()
	for {
		m, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return err
		}
		if at, err := m.Metadata(); err == nil {
			c.mutex.Lock()
			c.read = at.Sequence.Stream
			c.mutex.Unlock()
		}
		c.take(m.Data())
	}
}

// found notes that the streams are there. What they should hold is published again if they are others than before.
func (c *Coordinator) found(created [2]time.Time) {
	c.mutex.Lock()
	if created[1] != c.created[1] {
		c.read = 0
	}
	if c.play != nil && (c.missed || c.created != [2]time.Time{} && created != c.created) {
		c.play.resend = true
		c.play.changed.Broadcast()
	}
	c.created, c.missed = created, false
	told := c.waits
	c.waits = false
	c.mutex.Unlock()
	if told {
		c.warn("the workers' games arrive again")
	}
}

// unpublished notes that something was not published, or is lost. Its caller holds the mutex.
func (c *Coordinator) unpublished(err error) {
	c.missed = true
	select {
	case c.doubt <- err:
	default:
	}
}

func (c *Coordinator) warnAway(err error) {
	c.mutex.Lock()
	told := c.waits
	c.waits = true
	c.mutex.Unlock()
	if !told && err != nil {
		c.warn(fmt.Sprintf("the workers' games do not arrive: %v; trying again", err))
	}
}

// watchQueue finds out that the queue is gone, or that somebody has emptied it: nothing is in it, nothing has come since the
// last result that was seen, and all the same there are blocks that workers should have. It returns the last result.
func (c *Coordinator) watchQueue(ctx context.Context, seen uint64) (last uint64) {
	c.mutex.Lock()
	last = c.read
	idle := c.play == nil || c.play.dealer.queued == 0 || last != seen
	c.mutex.Unlock()
	if idle {
		return last
	}
	within, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	stream, err := c.js.Stream(within, jobsStream)
	if err == nil {
		var queue *jetstream.StreamInfo
		if queue, err = stream.Info(within, jetstream.WithSubjectFilter(c.jobsSubject())); err == nil && len(queue.State.Subjects) == 0 {
			err = fmt.Errorf("somebody has emptied the queue %s", jobsStream)
		}
	}
	if err != nil && ctx.Err() == nil {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		if c.read == last {
			c.unpublished(err)
		}
	}
	return last
}

// purge forgets the messages of a subject before a sequence; 0: all. What remains is only superfluous.
func (c *Coordinator) purge(stream, subject string, before uint64) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	options := []jetstream.StreamPurgeOpt{jetstream.WithPurgeSubject(subject)}
	if before > 0 {
		options = append(options, jetstream.WithPurgeSequence(before))
	}
	if s, err := c.js.Stream(ctx, stream); err == nil {
		_ = s.Purge(ctx, options...)
	}
}
