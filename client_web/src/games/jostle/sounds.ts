/** What is heard on this board. */

import { type Score, tone } from "../../table/sounds";

export const HOP: Score = (colour) => [tone("sine", 420 + 220 * colour, 300 + 200 * colour, 0.07, 0.12)];
export const SWITCH: Score = () => [tone("sine", 300, 900, 0.45, 0.12), tone("sine", 450, 1350, 0.45, 0.06, 0.05)];
export const BACK: Score = () => [tone("sawtooth", 320, 140, 0.4, 0.06)];
export const JOSTLE: Score = () => [tone("square", 150, 80, 0.12, 0.1), tone("triangle", 220, 90, 0.2, 0.16, 0.05)];
export const DIE: Score = () => [0, 0.09, 0.17, 0.26, 0.38].map((after) => tone("triangle", 900, 500, 0.03, 0.14, after));
export const LAST_ROUND: Score = () => [tone("triangle", 523, 523, 0.2, 0.14), tone("triangle", 659, 659, 0.2, 0.14, 0.2), tone("triangle", 784, 784, 0.4, 0.14, 0.4)];
