// The rules of a game: their pictures are drawn by its own board.

import { drawPictures } from "../table/pictures";

await drawPictures(document);
