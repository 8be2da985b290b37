// The match page, opened directly or after a reload.

import { startMatch } from "../live/start";

startMatch();
