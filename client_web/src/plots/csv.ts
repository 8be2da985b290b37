/** CSV files made in the browser: whatever anybody typed stays a text, for every spreadsheet. */

export type Cell = string | number | boolean | null;

const FORMULA = /^[\s\0\ufeff]*[=+\-@＝＋－＠]|^[\t\r\n]/;
/** German spreadsheets split at semicolons, others at tabs or bars, even within quotes: there a formula may begin, too. */
const SPLIT_FORMULA = /(?<=[;|\t\r\n])(?=[\s\0\ufeff"']*[=+\-@＝＋－＠])/g;
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

export function csvOf(lines: readonly (readonly Cell[])[]): string {
  return lines.map((line) => line.map(field).join(",")).join("\r\n") + "\r\n";
}

/** A field of a CSV file. What a spreadsheet would take for a formula is kept a text by an apostrophe. */
function field(value: Cell): string {
  const text = typeof value === "string" ? harmless(value) : String(value ?? "");
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function harmless(text: string): string {
  if (NUMBER.test(text)) return text; // of a table on the page, where numbers are texts
  return (FORMULA.test(text) ? "'" : "") + text.replace(SPLIT_FORMULA, "'");
}
