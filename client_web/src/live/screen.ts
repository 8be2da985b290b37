/** What the player looks at: kept with the match, because how something is shown may change what people do. */

import { language } from "../i18n";
import type { Screen } from "../wire";

/** Below this, in CSS pixels of the shorter side, a device that is touched counts as a phone. */
const PHONE = 600;

export function screenOf(shape: string): Screen {
  const input = window.matchMedia("(pointer: coarse)").matches ? "touch" : window.matchMedia("(pointer: fine)").matches ? "mouse" : "none";
  const small = Math.min(window.screen.width, window.screen.height) < PHONE;
  return {
    type: "screen",
    board_shape: shape.slice(0, 40),
    language,
    device: input !== "touch" ? "desktop" : small ? "phone" : "tablet",
    viewport_width: Math.max(1, window.innerWidth),
    viewport_height: Math.max(1, window.innerHeight),
    input,
  };
}
