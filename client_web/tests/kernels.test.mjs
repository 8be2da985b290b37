// The bridge to kernels: calls with numbers of every kind, memory in stretches, and a reason for everything that goes wrong.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./loading.mjs";

const { KernelBridge } = await load("kernels/host");

const PAGE = 65536;
const I32 = 0x7f;
const I64 = 0x7e;
const F64 = 0x7c;
const section = (id, ...content) => [id, content.length, ...content];
const name = (text) => [text.length, ...Buffer.from(text)];
const body = (...code) => [code.length + 2, 0, ...code, 0x0b];

/** A memory of one page; long(a) = -a, float() = -0, lost() stops, grow(n). */
const MODULE = [
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, 4, 0x60, 1, I64, 1, I64, 0x60, 0, 1, F64, 0x60, 0, 0, 0x60, 1, I32, 1, I32),
  ...section(3, 4, 0, 1, 2, 3),
  ...section(5, 1, 0, 1),
  ...section(7, 5, ...name("memory"), 2, 0, ...name("long"), 0, 0, ...name("float"), 0, 1, ...name("lost"), 0, 2, ...name("grow"), 0, 3),
  ...section(10, 4, ...body(0x42, 0, 0x20, 0, 0x7d), ...body(0x44, 0, 0, 0, 0, 0, 0, 0, 0x80), ...body(0x00), ...body(0x20, 0, 0x40, 0)),
];
const python = (bytes) => ({ toJs: () => Uint8Array.from(bytes) });

function loaded(pages = 4) {
  const bridge = new KernelBridge();
  return [bridge, bridge.load(python(MODULE), pages)];
}

test("long numbers arrive whole, whether Python sent them short or long", () => {
  const [bridge, kernel] = loaded();
  assert.equal(bridge.call(kernel, "long", "L", "L", 5), -5n);
  assert.equal(bridge.call(kernel, "long", "L", "L", 1n << 62n), -(1n << 62n));
});

test("a float comes back as its bits, with the sign of zero", () => {
  const [bridge, kernel] = loaded();
  assert.equal(bridge.call(kernel, "float", "F", ""), -(1n << 63n));
});

test("what was stopped says why", () => {
  const [bridge, kernel] = loaded();
  assert.match(bridge.call(kernel, "lost", "", ""), /unreachable/);
  assert.match(bridge.call(kernel, "missing", "", ""), /no function missing/);
  assert.equal(typeof bridge.load(python([1, 2, 3]), 4), "string");
});

test("memory is read and written within its bounds, also after it has grown", () => {
  const [bridge, kernel] = loaded();
  assert.equal(bridge.write(kernel, PAGE - 2, python([7, 8])), true);
  assert.equal(bridge.write(kernel, PAGE - 1, python([7, 8])), false);
  assert.equal(bridge.read(kernel, -1, 1), undefined);
  assert.equal(bridge.call(kernel, "grow", ".", ".", 1), 1);
  assert.deepEqual([...bridge.read(kernel, PAGE - 2, 3)], [7, 8, 0]);
});

test("memory grows to its limit and no further, and a kernel that needs more is not loaded", () => {
  const [bridge, kernel] = loaded(2);
  assert.equal(bridge.call(kernel, "grow", ".", ".", 1), 1);
  assert.equal(bridge.call(kernel, "grow", ".", ".", 1), -1);
  assert.equal(typeof bridge.load(python(MODULE), 0), "string");
});

test("a kernel that was closed is gone", () => {
  const [bridge, kernel] = loaded();
  bridge.close(kernel);
  assert.match(bridge.call(kernel, "lost", "", ""), /no function/);
});
