package simulator

// Signature names the play of this engine: a hash over a fixed set of games, see TestSignature. A change of
// play, of the spawns or of the values changes it; a run never mixes games of two signatures.
const Signature = "unset"
