/**
 * The commands of a shell script as lists of words: quotes and backslashes as in a POSIX shell,
 * comments left out, commands ended by `|`, `&&`, `||`, `;` and line ends, redirections dropped.
 * Nothing is expanded.
 */
export function commandsOf(script: string): string[][] {
  const commands: string[][] = [];
  for (const line of script.replaceAll('\\\n', ' ').split('\n')) {
    let words: string[] = [];
    for (const token of tokensOf(line)) {
      if (/^(\||&&|\|\||;|&)$/.test(token.text) && !token.quoted) {
        commands.push(words);
        words = [];
      } else words.push(token.quoted ? token.text : redirection(token.text));
    }
    commands.push(words);
  }
  return commands.map((words) => withoutFiles(words)).filter((words) => words.length > 0);
}

interface Token {
  readonly text: string;
  readonly quoted: boolean;
}

const redirect = '\u0000';

const redirection = (text: string): string => (/^\d?(>>?|<)$/.test(text) ? redirect : text);

/** Without redirections and the files that they name. */
const withoutFiles = (words: readonly string[]): string[] =>
  words.filter((word, i) => word !== redirect && words[i - 1] !== redirect);

function tokensOf(line: string): Token[] {
  const tokens: Token[] = [];
  const part = /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|([^\s'"\\]+)/y;
  let at = 0;
  while (at < line.length) {
    if (/\s/.test(line[at] ?? '')) {
      at++;
      continue;
    }
    if (line[at] === '#') break;
    let text = '';
    let quoted = false;
    for (part.lastIndex = at; part.lastIndex < line.length; at = part.lastIndex) {
      const found = part.exec(line);
      if (!found) break;
      const [whole, single, double, escaped, bare] = found;
      quoted ||= bare === undefined;
      text += single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? bare ?? whole;
    }
    if (at < line.length && !/\s/.test(line[at] ?? '')) {
      throw new Error(`a quote is never closed: ${line}`);
    }
    tokens.push({ text, quoted });
  }
  return tokens;
}
