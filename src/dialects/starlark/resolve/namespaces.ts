/** Namespaces of tools in programs: `github.search` calls a tool, and `github` alone is nothing. */
import { type Diagnostic, nearest } from '../../../program/diagnostic.ts';
import { notAllowed, withheldTool } from '../../../program/tool-names.ts';
import type { Environment } from '../../dialect.ts';
import type { Attribute, File, Name } from '../parse/syntax.ts';
import { diagnostic } from '../parse/syntax-error.ts';
import { type AnyNode, walk } from '../parse/tree-walk.ts';
import { isNamespace, isOuter, pathOf, writable } from './tool-names.ts';

/** Errors for what stands behind a namespace or a tool, and is none; in a tree that is resolved. */
export function checkNamespaces(file: File, { tools, inputs }: Environment): Diagnostic[] {
  const named = writable(tools);
  /** The longest path that a name begins; empty where a part of it is a tool. */
  const paths = new Map<Name, string>();
  const found: Diagnostic[] = [];
  const visit = (node: AnyNode): void => {
    if (node.kind !== 'attribute' && node.kind !== 'name') return;
    const path = pathOf(node);
    if (!path || !isOuter(path.root) || inputs.includes(path.root.name)) return;
    if (node.kind === 'attribute' && path.root.binding?.scope === 'predeclared') {
      const tool = pathOf(node.object)?.text ?? '';
      if (named.has(tool) && !named.has(path.text)) found.push(noField(node, tool));
    }
    const longest = paths.get(path.root) ?? path.text;
    paths.set(path.root, named.has(path.text) ? '' : longest);
    if (node.kind !== 'name' || longest === '' || named.has(path.text)) return;
    if (node.binding?.scope === 'predeclared') found.push(noTool(node, longest, tools));
  };
  walk(file, visit);
  return found;
}

/** As in `datetime.now()`, which other languages have. */
const noField = ({ at, name }: Attribute, tool: string): Diagnostic =>
  diagnostic('PV2334', at, `${tool} is a tool, and has no ${name}`, {
    hint: `call it: ${tool}(…)`,
  });

function noTool(root: Name, path: string, tools: Environment['tools']): Diagnostic {
  let space = path;
  while (!isNamespace(tools, space)) space = space.slice(0, space.lastIndexOf('.'));
  const members = [...writable(tools).keys()]
    .filter((name) => name.startsWith(`${space}.`))
    .map((name) => name.slice(space.length + 1));
  const listed = members.slice(0, listedMax).join(', ');
  const more = members.length > listedMax ? ', …' : '';
  if (space === path) {
    const message = `${path} is a namespace of tools, and no value`;
    return diagnostic('PV2334', root.at, message, {
      hint: `call one of its tools: ${listed}${more}`,
    });
  }
  const rest = path.slice(space.length + 1);
  const withheld = withheldTool(tools, path);
  if (withheld) {
    return diagnostic('PV2334', root.at, `${space} has no tool ${rest} here`, {
      hint: notAllowed(withheld.name),
    });
  }
  const near = nearest(rest, members);
  const hint =
    near === undefined ? `its tools are ${listed}${more}` : `did you mean ${space}.${near}?`;
  return diagnostic('PV2334', root.at, `${space} has no tool ${rest}`, { hint });
}

const listedMax = 30;
