/** A text in a person's own editor. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CliError } from '../failure.ts';

/**
 * The text as it was left; `name` tells the editor what kind of file it is. Throws `CliError`
 * PV6702 for an editor that cannot be started or that fails.
 */
export function editText(text: string, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'planvm-edit-'));
  const file = join(folder, name);
  try {
    writeFileSync(file, text);
    openEditor(file);
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Editors that draw on a terminal: without one they hang or damage what is piped in. */
const terminalEditors = new Set([
  ...['ed', 'emacs', 'helix', 'hx', 'joe', 'kak', 'mcedit', 'micro', 'nano', 'ne', 'nvim', 'pico'],
  ...['vi', 'view', 'vim'],
]);

/** Throws `CliError` PV6702 where no editor is named, or it has no terminal to draw on. */
function editorHere(): string {
  const { VISUAL, EDITOR } = process.env;
  const editor = VISUAL || EDITOR;
  if (!editor) {
    throw new CliError('PV6702', 'no editor is configured: VISUAL and EDITOR are not set', {
      hint: 'set one of them, for example EDITOR=nano',
    });
  }
  const program = basename(editor.trim().split(/\s+/)[0] ?? '');
  if (terminalEditors.has(program) && !(process.stdin.isTTY && process.stderr.isTTY)) {
    throw new CliError('PV6702', `the editor ${editor} needs a terminal, and there is none here`, {
      hint: 'start planvm at a terminal, or let VISUAL or EDITOR name a command that needs none',
    });
  }
  return editor;
}

/** As a shell would call it, since people set `code --wait`. */
function openEditor(file: string): void {
  const editor = editorHere();
  // What an editor of lines prints is no result.
  const { status, error } = spawnSync('/bin/sh', ['-c', `${editor} "$1"`, 'planvm', file], {
    stdio: ['inherit', process.stderr, 'inherit'],
  });
  if (!error && status === 0) return;
  throw new CliError('PV6702', `the editor ${editor} failed: ${error?.message ?? status}`, {
    hint: 'VISUAL or EDITOR names another one',
    cause: error,
  });
}
