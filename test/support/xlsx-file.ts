/** XLSX workbooks for tests: the few parts that a reader needs (ECMA-376), and bombs of them. */
import { crc32, deflateRawSync } from 'node:zlib';

/** The XML of one cell behind its address: `<c r="A1" …>`. */
export type CellXml =
  | string
  | number
  | boolean
  | { readonly xml: string; readonly attributes?: string };

const types = 'http://schemas.openxmlformats.org/package/2006/content-types';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** A workbook of sheets by name; style 1 is a date. */
export function xlsxOf(
  sheets: Readonly<Record<string, readonly (readonly CellXml[])[]>>,
): Uint8Array {
  const data = Object.values(sheets).map((rows) => sheetXml(rows));
  return xlsxFrom(Object.keys(sheets), data);
}

export function xlsxFrom(
  names: readonly string[],
  sheets: readonly (string | Uint8Array)[],
): Uint8Array {
  const listed = names.map(
    (name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  const links = names.map(
    (_, at) =>
      `<Relationship Id="rId${at + 1}" Type="${office}/worksheet" ` +
      `Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  const files: Record<string, string | Uint8Array> = {
    '[Content_Types].xml': `${head}<Types xmlns="${types}"/>`,
    '_rels/.rels':
      `${head}<Relationships xmlns="${relations}"><Relationship Id="r" ` +
      `Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml':
      `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>` +
      `${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      `${head}<Relationships xmlns="${relations}">${links.join('')}` +
      `<Relationship Id="s" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml':
      `${head}<styleSheet xmlns="${main}"><cellStyleXfs count="1"><xf numFmtId="0"/>` +
      '</cellStyleXfs><cellXfs count="2"><xf numFmtId="0" xfId="0"/>' +
      '<xf numFmtId="14" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>',
    ...Object.fromEntries(
      sheets.map((sheet, at) => [`xl/worksheets/sheet${at + 1}.xml`, sheet] as const),
    ),
  };
  return zipOf(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]));
}

const sheetXml = (rows: readonly (readonly CellXml[])[]): string =>
  `${head}<worksheet xmlns="${main}"><sheetData>${rows
    .map(
      (cells, row) =>
        `<row r="${row + 1}">${cells.map((cell, at) => cellXml(cell, row, at)).join('')}</row>`,
    )
    .join('')}</sheetData></worksheet>`;

function cellXml(cell: CellXml, row: number, column: number): string {
  const at = `r="${String.fromCharCode(65 + column)}${row + 1}"`;
  if (typeof cell === 'number') return `<c ${at}><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c ${at} t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === 'object') return `<c ${at} ${cell.attributes ?? ''}>${cell.xml}</c>`;
  if (cell === '') return '';
  return `<c ${at} t="inlineStr"><is><t xml:space="preserve">${cell}</t></is></c>`;
}

/** A workbook whose sheet unpacks to so many bytes of spaces; `lie` has it say another size. */
export function xlsxBomb(bytes: number, lie?: number): Uint8Array {
  const sheet = Buffer.alloc(bytes, ' ');
  sheet.write(`${head}<worksheet xmlns="${main}"><sheetData>`);
  const file = Buffer.from(xlsxFrom(['a'], [sheet]));
  return lie === undefined ? file : withSize(file, bytes, lie);
}

/** The archive with another size wherever it says this one. */
function withSize(file: Buffer, bytes: number, lie: number): Buffer {
  const said = uint32(bytes);
  for (let at = file.indexOf(said); at >= 0; at = file.indexOf(said, at + 4)) {
    uint32(lie).copy(file, at);
  }
  return file;
}

/** An archive of packed files (APPNOTE 4.3). */
function zipOf(files: readonly (readonly [string, Buffer])[]): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of files) {
    const packed = deflateRawSync(content);
    const sums = [uint32(crc32(content)), uint32(packed.length), uint32(content.length)];
    const about = [uint16(20, 0, 8, 0, 0), ...sums, uint16(path.length, 0)];
    const entry = Buffer.concat([uint32(0x04034b50), ...about, Buffer.from(path), packed]);
    const more = [uint16(0, 0, 0), uint32(0), uint32(offset), Buffer.from(path)];
    list.push(uint32(0x02014b50), uint16(20), ...about, ...more);
    parts.push(entry);
    offset += entry.length;
  }
  const listed = Buffer.concat(list);
  const counts = uint16(0, 0, files.length, files.length);
  const end = [uint32(0x06054b50), counts, uint32(listed.length), uint32(offset), uint16(0)];
  return Buffer.concat([...parts, listed, ...end]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

const uint16 = (...values: number[]): Buffer => Buffer.from(new Uint16Array(values).buffer);
