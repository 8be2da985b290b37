// A deterministic zip writer: the same files always give the same bytes, so that the archive's name can be its content hash.
// Entries are stored, not deflated: the whole archive is brotli-compressed for the wire, which packs better.
import { crc32 } from "./crc32.mjs";

const DOS_DATE_1980 = 0x21; // 1980-01-01, the earliest date that zip knows; time 0
const UTF8_NAMES = 0x0800;

/** @param {{ name: string, data: Buffer }[]} files @returns {Buffer} */
export function zip(files) {
  const bodies = [];
  const directory = [];
  let offset = 0;
  for (const { name, data } of [...files].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = Buffer.from(name, "utf8");
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0); // version needed
    common.writeUInt16LE(UTF8_NAMES, 2);
    common.writeUInt16LE(0, 4); // stored
    common.writeUInt16LE(0, 6);
    common.writeUInt16LE(DOS_DATE_1980, 8);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(path.length, 22);
    common.writeUInt16LE(0, 24); // no extra field
    bodies.push(Buffer.from("PK\x03\x04", "latin1"), common, path, data);

    const tail = Buffer.alloc(14); // comment length, disk, attributes: all zero; then the offset
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\x01\x02", "latin1"), Buffer.from([20, 0]), common, tail, path);
    offset += 4 + common.length + path.length + data.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, index, end]);
}
