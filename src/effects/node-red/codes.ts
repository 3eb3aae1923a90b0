/** The codes of the Node-RED tools, with one line each for the reference page. */

export const codes: Readonly<Record<string, string>> = {
  PV4721: 'A day is not written as YYYY-MM-DD, or there is no such day.',
  PV4722: 'There is no measurement of a day.',
  PV4723: 'Node-RED answers, but its flow is not deployed.',
  PV4724: 'Node-RED answers in another form than its flows do.',
};
