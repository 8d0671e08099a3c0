package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"tune2048/engine/simulator"
)

// Both streams are in the memory of a server, which may lose them at any moment. Then the run makes
// them anew and deals again what is out. All other losses are the dealer's: a block that is out for
// too long is dealt again.

// A job of which no worker has said for ackWait that it is played goes to another worker.
const ackWait = 15 * time.Second

// prepare makes both streams and the consumer of this play's jobs, unless they are there. The
// stream of results forgets the oldest ones: the run asks again for missing results.
func prepare(ctx context.Context, js jetstream.JetStream) error {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	_, err := js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: jobsStream, Description: "tune: games to play", Subjects: []string{jobsPrefix + ">"}, Storage: jetstream.MemoryStorage,
		Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew, MaxBytes: 256 << 20,
	})
	if err == nil {
		_, err = js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name: resultsStream, Description: "tune: their outcomes", Subjects: []string{resultsPrefix + ">"}, Storage: jetstream.MemoryStorage,
			Discard: jetstream.DiscardOld, MaxBytes: 64 << 20, MaxAge: 24 * time.Hour,
		})
	}
	if err == nil {
		_, err = js.CreateOrUpdateConsumer(ctx, jobsStream, jetstream.ConsumerConfig{
			Durable: simulator.Signature, FilterSubject: jobsPrefix + simulator.Signature + ".>", MemoryStorage: true,
			AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxDeliver: -1, MaxAckPending: -1, MaxWaiting: 1 << 16,
		})
	}
	return explainJetStream(js, "make the streams "+jobsStream+" and "+resultsStream, err)
}

// findConsumer finds the consumer of this play's jobs. Without one and without an error no run has
// made it yet, or the server has lost it.
func findConsumer(ctx context.Context, js jetstream.JetStream) (jetstream.Consumer, error) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	consumer, err := js.Consumer(ctx, jobsStream, simulator.Signature)
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound), errors.Is(err, jetstream.ErrConsumerNotFound):
		return nil, nil
	case err != nil:
		return nil, explainJetStream(js, "look for games in "+jobsStream, err)
	}
	return consumer, nil
}

// readResults takes results until the coordinator is closed. It begins anew when the connection was
// lost, or a stream.
func (c *Coordinator) readResults() {
	for again := false; c.life.Err() == nil; again = true {
		ctx, stop := context.WithCancel(c.life)
		c.mutex.Lock()
		c.reread = stop
		c.mutex.Unlock()
		if err := c.readStream(ctx, again); ctx.Err() == nil {
			c.fares(err)
			pause(ctx, time.Second)
		}
		stop()
	}
}

// readAgain makes readResults begin anew.
func (c *Coordinator) readAgain() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.reread()
}

// readStream reads results until it cannot. It begins with those that wait in the stream: jobs of a
// process that was killed serve the next one. again: what is out may be lost, and is dealt again.
func (c *Coordinator) readStream(ctx context.Context, again bool) error {
	if err := prepare(ctx, c.js); err != nil {
		return err
	}
	results, err := c.js.CreateConsumer(ctx, resultsStream, jetstream.ConsumerConfig{
		FilterSubject: resultsPrefix + c.run, AckPolicy: jetstream.AckNonePolicy, DeliverPolicy: jetstream.DeliverAllPolicy,
		InactiveThreshold: time.Minute, MemoryStorage: true,
	})
	if err != nil {
		return err
	}
	messages, err := results.Messages(jetstream.PullMaxMessages(256), jetstream.PullHeartbeat(5*time.Second))
	if err != nil {
		return err
	}
	defer messages.Stop()
	c.fares(nil)
	c.mutex.Lock()
	p := c.play
	c.mutex.Unlock()
	if again && p != nil {
		p.mutex.Lock()
		p.dealer.look(time.Now(), true)
		p.mutex.Unlock()
	}
	for {
		m, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return err
		}
		c.take(m.Data())
	}
}

// fares warns of an error once, and says when it is over.
func (c *Coordinator) fares(err error) {
	text := ""
	if err != nil {
		text = fmt.Sprintf("the workers' games do not arrive: %v; trying again", err)
	}
	c.mutex.Lock()
	before := c.trouble
	c.trouble = text
	c.mutex.Unlock()
	switch {
	case text == before:
	case text == "":
		c.warn("the workers' games arrive again")
	default:
		c.warn(text)
	}
}

// purge removes the messages of a subject from a stream. The remaining messages are superfluous.
func (c *Coordinator) purge(stream, subject string) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if s, err := c.js.Stream(ctx, stream); err == nil {
		_ = s.Purge(ctx, jetstream.WithPurgeSubject(subject))
	}
}
