// Package report is what a page says of runs: Go structs, made from the database without a browser, and the one HTML page
// that shows them, as a file that opens offline or live from a server (package dashboard).
//
// Begin here: Report has one field for each section of the page, in the order in which a person asks. Build fills it, Page
// writes it as HTML, Markdown as text for a pull request. The charts are drawn in the page by Observable Plot (assets/), each
// from one of these structs as JSON.
package report

import (
	"tune2048/experiments/fitness"
	"tune2048/results"
)

// Report is what there is to say of a run. Each section marshals to the JSON that its chart is drawn from; what is not known yet
// is empty. Scores are in points, fitness is in the objective's unit (Unit), shares lie in 0..1, intervals are 95% unless a
// Confidence stands beside.
type Report struct {
	Run         results.Run `json:"-"`
	Name        string      `json:"run"`
	Kind        string      `json:"kind"`   // tune, compare, bench
	Status      Status      `json:"status"` // where the run is
	Unit        Unit        `json:"unit"`
	Headline    Headline    `json:"headline"`
	HeldOut     HeldOut     `json:"held_out"`
	Convergence Convergence `json:"convergence"`
	Weights     Weights     `json:"weights"`
	Matters     Matters     `json:"matters"`
	Games       Games       `json:"games"`
	Made        Made        `json:"made"`
}

// Status is where a run is.
type Status struct {
	State   string   `json:"state"`   // running, killed, interrupted, failed, finished
	Doing   string   `json:"doing"`   // in words: "stage explore, generation 12 of 45, at depth 3"; empty unless it is running
	Done    *float64 `json:"done"`    // share of the plan; null if unknown
	Left    *float64 `json:"left"`    // seconds; null if unknown
	Started string   `json:"started"` // UTC, RFC 3339
	Updated string   `json:"updated"`
	Took    float64  `json:"took"` // seconds that processes worked on it, without the time that it lay stopped
	Games   int64    `json:"games"`
}

// Unit is how a figure of fitness is written.
type Unit struct {
	fitness.Unit
	Objective fitness.Objective `json:"-"`
	Separated bool              `json:"-"` // thousands are separated where it writes figures: 51,423
}

// Headline is the answer in one sentence.
type Headline struct {
	Verdict string `json:"verdict"` // better, worse, none: no gain found, unknown: not validated yet
	Text    string `json:"text"`    // of the run: "The champion scores 51,423 where the start weights score 32,247: +60% [57, 62] ..."
	Beside  string `json:"beside"`  // the sentence of caution beside it; may be empty
}

// Estimate is a figure with the ends of its interval; null: open, too few games to tell.
type Estimate struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

// HeldOut: is it better, and can I believe it?
type HeldOut struct {
	Players []Player `json:"players"` // by search, then champion, start, references (of a comparison: its players)
	Gains   []Gain   `json:"gains"`   // of the champion over each other player (of a comparison: all pairs)
	Playoff *Player  `json:"playoff"` // the champion in the playoff that chose it: flattered; null before its end
	Flatter *float64 `json:"flatter"` // what the playoff flattered, relative: 0.038; null if it cannot be told
	Notes   []string `json:"notes"`   // what one must know to read it: how intervals hold together ...
}

// Player is a player's figures at a search.
type Player struct {
	Name      string   `json:"name"` // champion, start weights, the name of a reference or compared player
	Role      string   `json:"role"` // champion, start, reference, player, playoff, other
	Candidate int      `json:"candidate"`
	Search    string   `json:"search"`
	Games     int      `json:"games"`
	Fitness   Estimate `json:"fitness"`
	Score     Estimate `json:"score"`       // the mean
	MSPerMove *float64 `json:"ms_per_move"` // wall time as the games were played, milliseconds; null where it is not known, and of the playoff
	Tiles     []Share  `json:"tiles"`       // reached, by tile
}

// Share is how often a tile is reached.
type Share struct {
	Tile  int     `json:"tile"` // face
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Gain is one player against another.
type Gain struct {
	Search     string    `json:"search"`
	Player     string    `json:"player"`
	Over       string    `json:"over"`
	Difference Estimate  `json:"difference"` // in the unit of fitness
	Ratio      *Estimate `json:"ratio"`      // null: to 0
	Confidence float64   `json:"confidence"`
	P          float64   `json:"p"`
	Adjusted   float64   `json:"p_adjusted"`
	Verdict    string    `json:"verdict"`
	Text       string    `json:"text"` // all of it in words
}

// Convergence: how did it get there, and would more time help?
type Convergence struct {
	Stages      []Stage      `json:"stages"`
	Generations []Generation `json:"generations"`
	Centres     []Centre     `json:"centres"` // the population's centre on fresh games: half way through the last stage, and at its end
	Every       int          `json:"every"`   // of a long run only each so many-th generation is listed; 1: all
	Text        string       `json:"text"`    // whether more tuning would help, since when nothing rose
}

// Stage is a stage of tuning: its generations and games, by number from 1 and from the beginning of the run.
type Stage struct {
	Name   string `json:"name"`
	Search string `json:"search"`
	From   int64  `json:"from"` // games played before it
	To     int64  `json:"to"`
	// Rose is how many games had been played when the mean was last seen to rise; null: it rose till the end, as far as one can tell.
	Rose *int64 `json:"rose"`
}

// Generation is a generation of tuning.
type Generation struct {
	Stage   string   `json:"stage"`
	Number  int      `json:"number"`  // of the stage, from 1
	Games   int64    `json:"games"`   // played so far, from the beginning of the run
	Fitness Estimate `json:"fitness"` // mean of its candidates
	Spread  float64  `json:"spread"`  // standard deviation between the candidates' mean scores, points: mostly noise
	Score   float64  `json:"score"`   // mean of its candidates' mean scores
}

// Centre is the fitness of a population's centre on fresh games.
type Centre struct {
	Games      int64    `json:"games"` // of tuning, when it was the centre
	Search     string   `json:"search"`
	Played     int      `json:"played"`
	Generation int      `json:"generation"` // from 1
	Fitness    Estimate `json:"fitness"`
}

// Weights: what are they?
type Weights struct {
	Weights    []Weight   `json:"weights"`
	Candidates Candidates `json:"candidates"`
	Finalists  []Finalist `json:"finalists"` // by rank in the playoff
}

// Weight is a tuned weight.
type Weight struct {
	Name      string   `json:"name"`
	Min       float64  `json:"min"`
	Max       float64  `json:"max"`
	Log       bool     `json:"log"` // tuned on a logarithmic scale
	Start     float64  `json:"start"`
	Champion  *float64 `json:"champion"`
	Edge      string   `json:"edge"` // min or max: the champion is within 2% of that end of the range; otherwise empty
	Narrowing []Band   `json:"narrowing"`
}

// Band is where the middle half and nearly all of a population's values of a weight lie.
type Band struct {
	Games int64   `json:"games"` // played so far
	P05   float64 `json:"p05"`
	P25   float64 `json:"p25"`
	P50   float64 `json:"p50"`
	P75   float64 `json:"p75"`
	P95   float64 `json:"p95"`
}

// Candidates are the candidates of tuning, as columns: a dot each in weight against fitness.
type Candidates struct {
	Of      int         `json:"of"` // how many there are; of very many only some are listed, evenly
	Number  []int       `json:"number"`
	Stage   []int       `json:"stage"` // index in Convergence.Stages
	Games   []int       `json:"games"`
	Fitness []float64   `json:"fitness"`
	Values  [][]float64 `json:"values"` // for each of Weights a column
}

// Finalist is a candidate of the playoff.
type Finalist struct {
	Rank     int       `json:"rank"`
	Number   int       `json:"number"`
	Origin   string    `json:"origin"`
	Champion bool      `json:"champion"`
	Games    int       `json:"games"`
	Fitness  Estimate  `json:"fitness"`
	Values   []float64 `json:"values"` // in the order of Weights
}

// Matters: what matters? The champion without each of its features, the most valuable first.
type Matters struct {
	Search    string    `json:"search"`
	Objective string    `json:"objective"`
	Features  []Feature `json:"features"`
	Note      string    `json:"note"`
}

// Feature is the champion without a feature.
type Feature struct {
	Name    string   `json:"name"`
	Weight  float64  `json:"weight"`
	Games   int      `json:"games"`
	Change  Estimate `json:"change"`  // relative: -0.31
	Verdict string   `json:"verdict"` // matters, can be left out, better without it, undecided
	Text    string   `json:"text"`
}

// Games: what do they look like?
type Games struct {
	Search       string         `json:"search"`       // at which the distributions are
	Distribution []Distribution `json:"distribution"` // champion and start weights, of held-out games; empty where no rows are kept
	Replays      []Replay       `json:"replays"`      // the champion's median, best and worst held-out games
	Note         string         `json:"note"`         // why there is none
}

// Distribution is a histogram of scores: Counts[i] games score in [i*Width, (i+1)*Width).
type Distribution struct {
	Player string  `json:"player"`
	Games  int     `json:"games"`
	Width  float64 `json:"width"`
	Counts []int   `json:"counts"`
	Median float64 `json:"median"`
}

// Replay is a stored game that a page can show.
type Replay struct {
	Which   string  `json:"which"` // median, best, worst
	Game    int64   `json:"game"`  // id
	Seed    uint64  `json:"seed"`
	Search  string  `json:"search"`
	Score   int     `json:"score"`
	MaxTile int     `json:"max_tile"`
	Moves   int     `json:"moves"`
	Final   [16]int `json:"final"`  // faces, row by row; 0 for a blank
	Record  *Record `json:"record"` // null where a page is to ask for it
}

// Record is a game move by move: the board before the first move, and for each move what it needs to be drawn.
type Record struct {
	Start [16]int `json:"start"` // faces, row by row
	// Moves has a byte for each move, base64: bits 0-1 the direction (up, down, left, right), bits 2-5 the cell of the tile that
	// spawned after it (row by row), bit 6 set if that is a 4; bit 7 set if nothing spawned, since the game was capped.
	Moves  string `json:"moves"`
	Values string `json:"values"` // base64 of little-endian float32s: four for each move, NaN for an illegal one
}

// Made: how was it made?
type Made struct {
	Facts    []Fact    `json:"facts"`
	Commands []string  `json:"commands"` // that reproduce it
	File     string    `json:"file"`     // that the commands take the config from; empty of a comparison
	Config   string    `json:"config"`   // YAML
	Machines []Machine `json:"machines"` // that played beside the process which carried the run out
}

// Machine is a worker that has played games of the run.
type Machine struct {
	Name      string  `json:"name"`
	Cores     int     `json:"cores"`
	Version   string  `json:"version"`
	Games     int64   `json:"games"`
	Share     float64 `json:"share"` // of the games that were played for the run
	PerSecond float64 `json:"games_per_second"`
	LastSeen  string  `json:"last_seen"` // UTC, RFC 3339
	Seen      string  `json:"seen"`      // the same for people: of a run that goes on, before it recorded something last
}

// Fact is a line of a table: what, and its value in words.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}
