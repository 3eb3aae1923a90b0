/**
 * The library functions that call functions of the program: written in Starlark, so that no host
 * code stands between two guest frames (design rule 2). Compiled into the programs that name them.
 */
export const preludeNames: ReadonlySet<string> = new Set(['sorted', 'min', 'max']);

export const prelude = `
def sorted(iterable, *, key=None, reverse=False):
    items = list(iterable)
    if key == None:
        return _sorted_by(items, items, reverse)
    return _sorted_by(items, [key(item) for item in items], reverse)

def min(*args, key=None):
    items = list(args[0]) if len(args) == 1 else args
    if key == None:
        return _min_by(items, items)
    return _min_by(items, [key(item) for item in items])

def max(*args, key=None):
    items = list(args[0]) if len(args) == 1 else args
    if key == None:
        return _max_by(items, items)
    return _max_by(items, [key(item) for item in items])
`;
