package simulator

// Signature names the play of this engine: the hash of games that TestSignature plays. A
// change of play, of the spawns, of a value or of the count of nodes changes it, on purpose or not.
// A run never mixes games of two signatures.
const Signature = "0c160a80d0f8d1ac"
