/** An address that speaks of the same game as the page does: `?game=…`, where the page's own address names one. */
export function ofGame(path: string): string {
  const game = new URLSearchParams(location.search).get("game");
  return game ? `${path}?game=${encodeURIComponent(game)}` : path;
}
