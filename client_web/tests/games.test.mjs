// The pure parts of tables and boards: what is left to show, stops of a replay, cells and hands, cards, facts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./loading.mjs";

const { rest, seatsOf } = await load("table/model");
const { Hands, after, cellAfter, cellName, placeOf, piecesOf, rowsOf } = await load("games/grid/cells");
const { readPosition, scoresOf, takerOf, without } = await load("games/tricks/notation");
const { byName, readTerm, readable } = await load("games/facts/terms");
const { plyOf, stopsOf } = await load("table/stops");
const { happens } = await load("table/lessons");

const shown = { grid: null, facts: [] };
const moment = (acting) => ({ position: "", shown, acting, over: false });

test("of an update whose first move was shown when it was made, the rest is left", () => {
  const own = { ply: 4, moves: ["a1"], seats: [0], events: [["put", "x", "", "a1"]], after: null };
  const told = { ply: 4, moves: ["a1", "5"], seats: [0, -1], events: [["put", "x", "", "a1"], ["fall", "5", "", ""]], after: moment([1]) };
  assert.deepEqual(rest(told, own), { ply: 5, moves: ["5"], seats: [-1], events: [["fall", "5", "", ""]], after: told.after });
});

test("those who were to act moved first, in their order, and chance after them", () => {
  assert.deepEqual(seatsOf(["9", "3", "deal"], moment([0, 1])), [0, 1, -1]);
  assert.deepEqual(seatsOf(["deal"], moment([])), [-1]);
});

const frame = (ply, seat, move) => ({ ply, seat, move, events: [["do", move, "", ""]], position: `after ${move}`, shown });

test("a replay stops at decisions; chance comes with the decision after it, and at the end with the last one", () => {
  const frames = [frame(0, -1, "deal"), frame(1, 0, "draw"), frame(2, -1, "4"), frame(3, 1, "stop"), frame(4, 0, "draw"), frame(5, -1, "2")];
  const { start, stops } = stopsOf({ start: { position: "start", shown }, frames });
  assert.deepEqual(start.acting, []);
  assert.deepEqual(stops.map(({ update }) => update.moves), [["deal", "draw"], ["4", "stop"], ["draw", "2"]]);
  assert.deepEqual(stops.map(plyOf), [1, 3, 4]);
  assert.deepEqual(stops.map(({ before }) => before.position), ["start", "after draw", "after stop"]);
  assert.deepEqual(stops[1].update.after.acting, [0]);
  assert.ok(stops[2].update.after.over && !stops[1].update.after.over);
  assert.deepEqual(stopsOf({ start: { position: "start", shown }, frames: [] }).stops, []);
});

test("cells have names and places, on boards of any size", () => {
  for (const [column, row] of [[0, 0], [7, 7], [25, 9], [26, 0], [51, 98], [52, 3]]) assert.deepEqual(placeOf(cellName({ column, row })), { column, row });
  assert.equal(cellName({ column: 26, row: 0 }), "aa1");
  for (const no of ["", "1", "a0", "A1", "a", "table"]) assert.equal(placeOf(no), null, no);
  assert.deepEqual(rowsOf({ columns: 2, rows: 2 }), [["a2", "b2"], ["a1", "b1"]]);
});

test("arrows go from square to square and stay on the board", () => {
  const board = { columns: 3, rows: 3 };
  const keys = ["ArrowRight", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowDown", "End", "Home"];
  const way = keys.reduce((cells, key) => [...cells, cellAfter(key, cells.at(-1), board)], ["a1"]);
  assert.deepEqual(way, ["a1", "b1", "b2", "b3", "b3", "a3", "a3", "a2", "c2", "a2"]);
  assert.equal(cellAfter("Enter", "a1", board), null);
});

test("hands put, or take and put down; several moves to one square are all offered", () => {
  const puts = new Hands([["a1", "", "a1"], ["b2", "", "b2"]]);
  assert.deepEqual([puts.sources, puts.targets(null), puts.moves(null, "b2")], [[], ["a1", "b2"], ["b2"]]);
  const moves = new Hands([["e2e4", "e2", "e4"], ["e7e8q", "e7", "e8"], ["e7e8n", "e7", "e8"]]);
  assert.deepEqual([moves.sources, moves.targets("e2"), moves.targets(null)], [["e2", "e7"], ["e4"], []]);
  assert.deepEqual(moves.moves("e7", "e8"), ["e7e8q", "e7e8n"]);
  assert.ok(moves.canHold("e2") && !moves.canHold("e4") && !moves.canHold(""));
});

test("events move, capture, change and take away pieces", () => {
  const pieces = piecesOf({ columns: 3, rows: 3, pieces: [["a1", "p", 0], ["b2", "k", 1]], moves: [] });
  const captured = after(pieces, ["move", "p", "a1", "b2"], 0);
  assert.deepEqual([...captured], [["b2", { sign: "p", seat: 0 }]]);
  assert.deepEqual(after(captured, ["become", "q", "b2", "b2"], 0).get("b2"), { sign: "q", seat: 0 });
  assert.deepEqual([...after(captured, ["remove", "p", "b2", ""], 1)], []);
  assert.deepEqual(after(pieces, ["put", "x", "", "c3"], 1).get("c3"), { sign: "x", seat: 1 });
  assert.equal(pieces.size, 2, "and leave the picture before as it was");
});

test("positions of cards are read as games/tricks writes them, with and without the other's hand", () => {
  const open = readPosition("1,5,9,11/2,3,4,10 12-6 9~");
  assert.deepEqual([open.hands, open.tricks, open.laid], [[["1", "5", "9", "11"], ["2", "3", "4", "10"]], [["12", "6"]], "9"]);
  const mine = readPosition("?,?,?/2,3,4 12-6,1-10");
  assert.deepEqual([mine.hands[0], scoresOf(mine), mine.laid], [["?", "?", "?"], [1, 2], null]);
  assert.deepEqual(readPosition("-/- -").hands, [[], []]);
  assert.throws(() => readPosition("1,2"), /two hands/);
});

test("a laid card leaves its hand, seen or not; the higher one takes the trick", () => {
  assert.deepEqual(without(["1", "5"], "5"), ["1"]);
  assert.deepEqual(without(["?", "?"], "5"), ["?"]);
  assert.deepEqual([takerOf(["9", "10"]), takerOf(["12", "2"])], [1, 0]);
});

test("facts are taken apart and told by their names", () => {
  assert.deepEqual(readTerm("cell(a, 1,x)"), { name: "cell", parts: ["a", "1", "x"] });
  assert.deepEqual(readTerm("true(at(piece(1),b),2)"), { name: "true", parts: ["at(piece(1),b)", "2"] });
  assert.deepEqual(readTerm("draw"), { name: "draw", parts: [] });
  assert.deepEqual([...byName(["left(1,1)", "sum(a,0)", "left(2,2)"])].map(([name, terms]) => [name, terms.length]), [["left", 2], ["sum", 1]]);
  assert.equal(readable("game_over"), "game over");
});

test("a lesson comes when what it waits for happens", () => {
  assert.ok(happens("event ^move \\d -1 ", "event", ["jostle 3 4 2", "move 0 -1 2"]));
  assert.ok(!happens("event ^move \\d -1 ", "event", ["move 0 12 15"]));
  assert.ok(happens("offer ^again$", "offer", ["again", "keep"]));
  assert.ok(!happens("offer ^again$", "position", ["again"]));
  for (const kind of ["event", "offer", "position"]) assert.ok(!happens("start", kind, ["start"]) && !happens("", kind, [""]));
});
