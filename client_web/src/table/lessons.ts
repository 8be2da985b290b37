/** Whether what has just happened is what a lesson waits for: `when` is a word and a pattern, as games write it (games/protocol.py). */
export function happens(when: string, kind: "event" | "offer" | "position", texts: readonly string[]): boolean {
  const space = when.indexOf(" ");
  if (space < 0 || when.slice(0, space) !== kind) return false;
  const pattern = new RegExp(when.slice(space + 1), "u");
  return texts.some((text) => pattern.test(text));
}
