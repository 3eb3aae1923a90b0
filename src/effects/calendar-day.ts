/** Whether a text, as YYYY-MM-DD, is a day of the calendar: 2025-02-30 is none. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  // Some days too many would be read as days of the next month.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
