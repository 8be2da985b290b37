/** How moves travel in an address: one per line, because a move may hold anything but a line's end. */

export const movesInAddress = (moves: readonly string[]): string => moves.join("\n");
