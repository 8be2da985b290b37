/** Facts and moves in the words of the Game Description Language, `cell(a,1,x)`, taken apart for reading. */

export interface Term {
  readonly name: string;
  readonly parts: readonly string[];
}

/** A text that is no term is a name alone. */
export function readTerm(text: string): Term {
  const found = /^([^\s(]+)\((.*)\)$/s.exec(text.trim());
  return found ? { name: found[1]!, parts: split(found[2]!) } : { name: text.trim(), parts: [] };
}

/** Parts between the commas that stand in no inner parentheses. */
function split(text: string): string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  [...text].forEach((letter, at) => {
    if (letter === "(") depth += 1;
    if (letter === ")") depth -= 1;
    if (letter !== "," || depth > 0) return;
    parts.push(text.slice(from, at).trim());
    from = at + 1;
  });
  return [...parts, text.slice(from).trim()];
}

/** Terms of one name together, in the order in which the names come. */
export function byName(texts: readonly string[]): Map<string, { readonly text: string; readonly parts: readonly string[] }[]> {
  const groups = new Map<string, { readonly text: string; readonly parts: readonly string[] }[]>();
  for (const text of texts) {
    const { name, parts } = readTerm(text);
    groups.set(name, [...(groups.get(name) ?? []), { text, parts }]);
  }
  return groups;
}

/** A name as people read it. */
export const readable = (name: string): string => name.replaceAll("_", " ");
