/** What a ZIP archive says of itself (APPNOTE 4.3.12, 4.3.16), before anything is unpacked. */

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const endBytes = 22;
const commentBytesMax = 65_535;

/** The sizes of all its entries together; undefined where it has no list of them. */
export function unpackedBytes(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(view);
  if (end === undefined) return undefined;
  let at = view.getUint32(end + 16, true);
  let total = 0;
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (at + 46 > end || view.getUint32(at, true) !== entryMark) return undefined;
    total += view.getUint32(at + 24, true);
    const names = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    at += 46 + names.reduce((sum, length) => sum + length, 0);
  }
  return total;
}

function endOf(view: DataView): number | undefined {
  const first = Math.max(0, view.byteLength - endBytes - commentBytesMax);
  for (let at = view.byteLength - endBytes; at >= first; at--) {
    if (view.getUint32(at, true) === endMark) return at;
  }
  return undefined;
}
