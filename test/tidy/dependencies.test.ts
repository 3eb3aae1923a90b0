/** Every package this project stands on has a reason and one exact version. */
import { expect, test } from 'vitest';
import { packages } from '../../src/effects/web/page/dom.ts';
import { textOf } from '../support/repo.ts';

type Versions = Readonly<Record<string, string>>;

const manifest: {
  dependencies?: Versions;
  devDependencies?: Versions;
  optionalDependencies?: Versions;
  peerDependencies?: Versions;
} = JSON.parse(textOf('package.json'));

const installed: Versions = {
  ...manifest.dependencies,
  ...manifest.devDependencies,
  ...manifest.optionalDependencies,
};

/** The first column of the tables of a document and whether the other columns say something. */
function rows(document: string): { name: string; reason: string }[] {
  return [...document.matchAll(/^\| `([^`]+)` \|(.*)\|$/gm)].map(([, name = '', reason = '']) => ({
    name,
    reason: reason.trim(),
  }));
}

const reasons = rows(textOf('docs/internals/dependencies.md'));

test('the reasons are those of the packages in package.json, no more and no fewer', () => {
  const needed = new Set([
    ...Object.keys(installed),
    ...Object.keys(manifest.peerDependencies ?? {}),
  ]);
  expect(needed).toContain('typescript');
  expect(reasons.map(({ name }) => name).sort()).toEqual([...needed].sort());
});

test('each reason is a sentence', () => {
  expect(reasons.filter(({ reason }) => reason.length < 20)).toEqual([]);
});

test('versions are exact', () => {
  const loose = Object.entries(installed).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  );
  expect(loose).toEqual([]);
});

test('what is said to be installed is what there is a version of', () => {
  expect(packages).toBe(`defuddle linkedom@${manifest.peerDependencies?.linkedom}`);
});

test('the lockfile names no registry', () => {
  expect(textOf('package-lock.json')).not.toContain('"resolved": "http');
});
