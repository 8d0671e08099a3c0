module tune2048

go 1.26.0

require (
	github.com/MaxHalford/eaopt v0.4.2 // the genetic algorithm
	github.com/chromedp/cdproto v0.159.0 // tests only: events of the browser
	github.com/chromedp/chromedp v0.23.0 // tests only: pages in a browser
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // records: unknown and duplicate keys, places of mistakes; Go has it as an experiment only
	github.com/gofrs/flock v0.13.1 // one process a run, on all systems
	github.com/mattn/go-sqlite3 v1.14.52 // the database
	github.com/nats-io/nats-server/v2 v2.15.2 // workers: the server within a run
	github.com/nats-io/nats.go v1.55.0 // workers: its client
	github.com/rogpeppe/go-internal v1.16.0 // tests only: scripts of the command line
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // tests only: schema.json as an editor reads it
	golang.org/x/sys v0.49.0 // features of the processor; consoles of Windows
	golang.org/x/term v0.47.0 // whether there is a terminal, and its width
	golang.org/x/text v0.43.0 // configs in UTF-16
	gopkg.in/yaml.v3 v3.0.1 // configs, with the place of each value
	pgregory.net/rapid v1.3.0 // tests only: properties
)

require (
	github.com/antithesishq/antithesis-sdk-go v0.8.0-default-no-op // indirect
	github.com/google/go-tpm v0.9.8 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/minio/highwayhash v1.0.4 // indirect
	github.com/nats-io/jwt/v2 v2.8.2 // indirect
	github.com/nats-io/nkeys v0.4.16 // indirect
	github.com/nats-io/nuid v1.0.1 // indirect
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/time v0.16.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
)
