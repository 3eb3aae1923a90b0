/** The codes of tables and queries over them, with one line each for the reference page. */

export const codes: Readonly<Record<string, string>> = {
  PV4930: 'What is to be read as a table is none, or is broken at a place that is named.',
  PV4931: 'A table is larger than one call reads or returns.',
  PV4932: 'A workbook has no such sheet, or a document no such member.',
  PV4933: 'It cannot be told how a table is written, or that way is not read.',
  PV4934: 'Rows are asked for that a table does not have.',
  PV4940: 'A query in SQL is wrong.',
  PV4941: 'A query in SQL does more than read.',
  PV4942: 'A query in SQL has a larger result than one call returns.',
  PV4943: 'What is given as a table for a query is none.',
  PV4944: 'A table is to be made of a file, and no tool of the run reads files.',
};
