// The family tree of strategies, to be explored: whoever points at a strategy, or goes to it by keys, sees where it comes from and what became of it.
// The tree may be replaced while its round runs, so nothing is kept here but what the page itself shows.

import { t, tn } from "../i18n";

const NODE = ".family a[data-node]";
const STEPS: Record<string, "parent" | "child"> = { ArrowLeft: "parent", ArrowRight: "child" };

const lines = (tree: Element): SVGPathElement[] => [...tree.querySelectorAll<SVGPathElement>("path[data-parent]")];
const nodes = (tree: Element): SVGAElement[] => [...tree.querySelectorAll<SVGAElement>("a[data-node]")];

/** Everybody who is reached from a node along its lines, always in one direction; the node itself is among them. */
function reached(tree: Element, from: string, towards: "parent" | "child"): Set<string> {
  const away = towards === "parent" ? "child" : "parent";
  const found = new Set([from]);
  // Members of a set that are added while it is walked are walked, too.
  for (const one of found) for (const line of lines(tree)) if (line.dataset[away] === one) found.add(line.dataset[towards]!);
  return found;
}

function trace(node: SVGAElement): void {
  const tree = node.closest("svg")!;
  const key = node.dataset["node"]!;
  const [before, after] = [reached(tree, key, "parent"), reached(tree, key, "child")];
  tree.classList.add("tracing");
  for (const one of nodes(tree)) one.classList.toggle("kin", before.has(one.dataset["node"]!) || after.has(one.dataset["node"]!));
  for (const line of lines(tree)) {
    const { parent, child } = line.dataset;
    line.classList.toggle("kin", (before.has(parent!) && before.has(child!)) || (after.has(parent!) && after.has(child!)));
  }
  const told = tree.parentElement!.querySelector(".told");
  if (told) {
    told.textContent = [
      `${node.textContent?.trim()}:`,
      tn("{n} ancestor in the populations before,", "{n} ancestors in the populations before,", before.size - 1),
      tn("{n} descendant in those after.", "{n} descendants in those after.", after.size - 1),
    ].join(" ");
  }
}

/** Back to all of it, unless somebody is on a strategy by keys. */
function rest(tree: Element): void {
  const focused = document.activeElement?.closest<SVGAElement>(NODE);
  if (focused && tree.contains(focused)) return trace(focused);
  tree.classList.remove("tracing");
  const told = tree.parentElement!.querySelector(".told");
  if (told) told.textContent = t("Point at a strategy, or go to it by keys, to see where it comes from and what became of it. Arrow keys lead along its family.");
}

/** The node that an arrow key leads to: a parent, a child, or the neighbour in the same population. */
function neighbour(node: SVGAElement, key: string): SVGAElement | undefined {
  const tree = node.closest("svg")!;
  const towards = STEPS[key];
  if (towards) {
    const away = towards === "parent" ? "child" : "parent";
    const line = lines(tree).find((one) => one.dataset[away] === node.dataset["node"]);
    return nodes(tree).find((one) => one.dataset["node"] === line?.dataset[towards]);
  }
  const [step] = node.dataset["node"]!.split("-");
  const column = nodes(tree).filter((one) => one.dataset["node"]!.split("-")[0] === step);
  return column[column.indexOf(node) + (key === "ArrowDown" ? 1 : -1)];
}

const nodeOf = (event: Event): SVGAElement | null => (event.target instanceof Element ? event.target.closest<SVGAElement>(NODE) : null);

for (const coming of ["pointerover", "focusin"]) {
  document.addEventListener(coming, (event) => {
    const node = nodeOf(event);
    if (node) trace(node);
  });
}
for (const going of ["pointerout", "focusout"]) {
  document.addEventListener(going, (event) => {
    const tree = nodeOf(event)?.closest("svg");
    if (tree) window.setTimeout(() => tree.querySelector("a:hover") || rest(tree));
  });
}
document.addEventListener("keydown", (event) => {
  const node = nodeOf(event);
  if (!node || !/^Arrow(Left|Right|Up|Down)$/.test(event.key)) return;
  event.preventDefault();
  const next = neighbour(node, event.key);
  next?.focus();
  next?.scrollIntoView({ block: "nearest", inline: "nearest" });
});
