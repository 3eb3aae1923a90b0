/** The codes of market data, with one line each for the reference page. */

export const codes: Readonly<Record<string, string>> = {
  PV4770: 'A provider of market data needs a key that is not set.',
  PV4771: 'A provider of market data knows no such symbol.',
  PV4772: 'The date of a price is none, or lies in the future.',
  PV4773: 'Nothing was traded in the days before a date.',
  PV4774: 'A provider of market data does not have what is asked for, or not with this key.',
};
