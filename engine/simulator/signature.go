package simulator

// Signature names the play of this engine: its moves, values and scores. TestSignature pins them. A
// change of a move, a spawn or a value takes a new name. A run never mixes games of two signatures.
const Signature = "0c160a80d0f8d1ac"

// Costs names the node counts of this version: the hash of those of TestSignature's games. Nodes
// are a cost, like time. A faster search of the same play has the same Signature and other Costs.
// Only counts of equal Costs can be compared.
const Costs = "5015e2350be05661"
