/** Remembers the fingerprint of the dice that was shown before a match, so that it can be compared afterwards. */

const PREFIX = "grintu.commitment.";
const MOST_KEPT = 50;

export function rememberCommitment(match: string, commitment: string): void {
  if (localStorage.getItem(PREFIX + match) !== null) return; // the first one counts
  const kept = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  for (const key of kept.slice(0, Math.max(0, kept.length - MOST_KEPT + 1))) localStorage.removeItem(key);
  localStorage.setItem(PREFIX + match, commitment);
}

export const recallCommitment = (match: string): string | null => localStorage.getItem(PREFIX + match);
