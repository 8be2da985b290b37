// Texts in the page's language: `t` takes an English text, whose places in braces are filled from the values; `tn` chooses
// between a text for one and a text for many. English texts are the keys and must be written as literals, so that the build
// finds them. Only the catalogue of the page's own language is loaded, before anything runs that imports this module.

type Values = Record<string, string | number>;

export const language: "en" | "de" = document.documentElement.lang.startsWith("de") ? "de" : "en";

const messages: Record<string, string[]> = language === "de" ? (await import("catalogue:de")).default : {};

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export function t(text: string, values: Values = {}): string {
  return fill(messages[text]?.[0] || text, values);
}

/** Chooses between singular and plural by `n`, which is also a value of the text. */
export function tn(one: string, many: string, n: number, values: Values = {}): string {
  const forms = messages[one] ?? [];
  return fill((n === 1 ? forms[0] || one : forms[1] || many), { n, ...values });
}

export const numbers = new Intl.NumberFormat(language);
