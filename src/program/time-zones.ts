/** Time zones, by the names of the IANA database, as the platform knows them. */

/** By zone: making one costs more than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** What the clocks of a zone are ahead of UTC by at a moment. Throws `RangeError` for no zone. */
export function zoneOffsetMs(zone: string, at: number): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, format);
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return offsetMs(name.replace('GMT', '') || 'Z');
}

/** Of `+01:00`, `-0330`, `Z`. */
export function offsetMs(offset: string): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /^([+-])(\d{2}):?(\d{2})(?::(\d{2}))?$/.exec(offset) ?? [];
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -ms : ms;
}
