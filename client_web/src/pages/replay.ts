// The replay page of a match: begins at the move that the address names (#move=6) and keeps the address in step. Of a match that is over it
// says who won and what decided it.

import { t } from "../i18n";
import { courseOf, resultPanel } from "../live/endings";
import { decimal } from "../plots/format";
import { followAddress, writeAddress } from "../table/address";
import { Replay, type ReplayNote } from "../table/replay";
import { recordingOfMoves } from "../table/recordings";

interface ReplayPage {
  match: string;
  ended: boolean;
  game: string;
  you: number | null;
  moves: { ply: number; seat: number; move: string; ms: number | null }[];
}

const host = document.querySelector<HTMLElement>("#replay")!;
const data = JSON.parse(host.dataset["replay"]!) as ReplayPage;

const times: ReplayNote[] = data.moves.flatMap(({ ply, seat, ms }) =>
  seat < 0 || ms === null ? [] : [{ ply, kind: "time" as const, text: t("{n} s", { n: decimal(ms / 1000, 1) }) }],
);

const recording = await recordingOfMoves(data.game, data.moves.map(({ move }) => move));
const wanted = location.hash; // the replay's first word about itself is the beginning
const replay: Replay = new Replay(host, recording, { you: data.you, notes: times, onPly: () => queueMicrotask(() => writeAddress(replay)) });
followAddress(replay, wanted);
window.addEventListener("hashchange", () => followAddress(replay));

const course = data.ended ? await courseOf(data.match) : null;
if (course) host.before(resultPanel(recording.game, course, (ply) => replay.jumpToPly(ply)));
