// The replay page of a match: begins at the ply that the address names (#ply=12) and keeps the address in step.

import { t } from "../i18n";
import { Replay, type ReplayNote } from "../replay";
import { recordingOfMoves } from "../replay_data";

interface ReplayPage {
  game: string;
  layout: string;
  you: number | null;
  moves: { ply: number; seat: number; move: string; ms: number }[];
}

const host = document.querySelector<HTMLElement>("#replay")!;
const data = JSON.parse(host.dataset["replay"]!) as ReplayPage;
const wanted = /^#ply=(\d+)$/.exec(location.hash)?.[1];

const times: ReplayNote[] = data.moves.flatMap(({ ply, seat, ms }) =>
  seat < 0 ? [] : [{ ply, kind: "time" as const, text: t("{n} s", { n: (ms / 1000).toFixed(1) }) }],
);

const recording = await recordingOfMoves(data.layout === "standard" ? data.game : `${data.game}:${data.layout}`, data.moves.map(({ move }) => move));
const replay = new Replay(host, recording, {
  you: data.you,
  notes: times,
  ...(wanted === undefined ? {} : { ply: Number(wanted) }),
  onPly: (ply) => history.replaceState(null, "", ply === null ? location.pathname : `#ply=${ply}`),
});
window.addEventListener("hashchange", () => {
  const ply = /^#ply=(\d+)$/.exec(location.hash)?.[1];
  if (ply !== undefined && Number(ply) !== replay.ply) replay.jumpToPly(Number(ply));
});
