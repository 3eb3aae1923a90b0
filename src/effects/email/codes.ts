/** The codes of mail and invitations, with one line each for the reference page. */

export const codes: Readonly<Record<string, string>> = {
  PV4780: 'What should be an address of mail is none, or there are too many of them.',
  PV4781: 'A header of a message would hold a line break or another control character.',
  PV4782: 'Nobody is named who sends a message, or what it is sent by is set wrongly.',
  PV4783: 'A message may not go to a recipient, by the setting of who may be written to.',
  PV4784: 'A server of mail cannot be reached, or broke off before it had a message.',
  PV4785: 'A server of mail refused a message for now.',
  PV4786: 'A server of mail refused a message, a sign-in or every recipient.',
  PV4787: 'The connection broke while a message was handed over: it may have been taken.',
  PV4788: 'The time of an invitation is none, has no time zone, or ends before it begins.',
  PV4789: 'A message could not be written to the outbox.',
};
