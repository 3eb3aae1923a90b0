/** The codes of filings from EDGAR, with one line each for the reference page. */

export const codes: Readonly<Record<string, string>> = {
  PV4760: 'EDGAR wants to know who asks, with an address of mail, and nobody has said it.',
  PV4761: 'EDGAR knows no company of that symbol.',
  PV4762: 'A company has filed no such form, or none until that day.',
  PV4763: 'A filing has no such section, or several of that name.',
  PV4764: 'A filing has no text that can be read.',
  PV4765: 'EDGAR does not let who asks in.',
};
