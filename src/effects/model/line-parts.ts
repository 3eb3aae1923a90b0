/** The parts of a model's text: its lines, each once it is complete. */
import { mayBeginThought } from '../../text/thoughts.ts';

export interface LineParts {
  /** A piece of the text as it arrives. */
  add(piece: string): void;
  /** The whole is there. What it comes to counts where a model has thought aloud before it. */
  end(answer: string): void;
}

export function lineParts(part: (line: string) => void): LineParts {
  let rest = '';
  let isAnswer = false;
  const report = (line: string): void => part(line.endsWith('\r') ? line.slice(0, -1) : line);
  return {
    add(piece) {
      rest += piece;
      // Where it may be thoughts, nothing is a part before the answer is known.
      isAnswer ||= !mayBeginThought(rest);
      if (!isAnswer) return;
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) report(line);
    },
    end(answer) {
      const lines = (isAnswer ? rest : answer).split('\n');
      if (lines.at(-1) === '') lines.pop();
      for (const line of lines) report(line);
    },
  };
}
