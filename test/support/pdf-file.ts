/** PDF files for tests: written by a library, and such as no library would write. */
import { deflateSync } from 'node:zlib';
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

/** A page whose content grows to `bytes` when it is unpacked. */
export function pdfBomb(bytes: number): Uint8Array {
  const packed = deflateSync(Buffer.alloc(bytes, ' '));
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
