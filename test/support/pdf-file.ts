/** PDF files for tests: written by a library, and such as no library would write. */
import { constants, deflateRawSync } from 'node:zlib';
import { PDFDocument, StandardFonts } from 'pdf-lib';

/** A file with a page for each text; an empty one is a page without text. */
export async function pdfOf(
  texts: readonly string[],
  about: { readonly title?: string; readonly author?: string } = {},
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  if (about.title !== undefined) document.setTitle(about.title);
  if (about.author !== undefined) document.setAuthor(about.author);
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const text of texts) document.addPage().drawText(text, { x: 50, y: 700, size: 12, font });
  return await document.save();
}

/** A file with as many pages, made at once: a library takes a second for each thousand. */
export function longPdf(count: number, textOf: (page: number) => string = () => ''): Uint8Array {
  const pages = Array.from({ length: count }, (_, index) => index + 1);
  const kids = pages.map((page) => `${2 * page + 2} 0 R`).join(' ');
  return pdfFrom([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((page) => {
      const text = textOf(page);
      const content = text === '' ? '' : `BT /F 12 Tf 50 700 Td (${text}) Tj ET`;
      const box = '/MediaBox [0 0 600 800] /Resources << /Font << /F 3 0 R >> >>';
      return [
        `<< /Type /Page /Parent 2 0 R ${box} /Contents ${2 * page + 3} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ]);
}

/** A page whose content grows to `bytes`, whole MiB, when it is unpacked. */
export function pdfBomb(bytes: number): Uint8Array {
  const packed = packedBlanks(bytes / 2 ** 20);
  return pdfFrom([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>',
    Buffer.concat([
      Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`),
      ...[packed, Buffer.from('\nendstream')],
    ]),
  ]);
}

/** One MiB is packed, and stands there as often as wanted: packing a gigabyte takes seconds. */
function packedBlanks(count: number): Buffer {
  const blanks = Buffer.alloc(2 ** 20, ' ');
  const block = deflateRawSync(blanks, { finishFlush: constants.Z_FULL_FLUSH });
  const [head, end] = [Buffer.from([0x78, 0x9c]), Buffer.from([3, 0])];
  return Buffer.concat([head, ...Array<Buffer>(count).fill(block), end]);
}

/** A file that wants a password. */
export function lockedPdf(): Uint8Array {
  const key = `<${'61'.repeat(32)}>`;
  return pdfFrom(
    ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>'],
    `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -4 >> /ID [<00> <00>]`,
  );
}

/** A file of objects, the first of which is the root. */
export function pdfFrom(objects: readonly (string | Buffer)[], trailer = ''): Uint8Array {
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  const add = (part: string | Buffer): void => {
    const bytes = Buffer.from(part);
    parts.push(bytes);
    length += bytes.length;
  };
  objects.forEach((object, index) => {
    offsets.push(length);
    add(`${index + 1} 0 obj\n`);
    add(object);
    add('\nendobj\n');
  });
  const start = length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  const size = objects.length + 1;
  add(`xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`);
  add(`trailer << /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`);
  return Buffer.concat(parts);
}
