/** What every view of a run can do: the live one, plain lines, NDJSON, what is said aloud. */
import type { WatchEvent } from '../../engine/events.ts';

/** Something that shows a run as it happens. */
export interface View {
  show(event: WatchEvent): void;
  /** A line that stays. */
  note(line: string): void;
  /** Leaves the terminal as it was, for the process may end; what is shown next takes it again. */
  rest?(): void;
  /** Leaves the screen to a person who is asked something; `go` takes it again. */
  hold?(): void;
  go?(): void;
  end(): void;
}
