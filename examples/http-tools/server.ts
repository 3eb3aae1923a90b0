/** A small library that lends books, as an interface over HTTP: nothing is kept beyond its process. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Book {
  readonly id: number;
  readonly title: string;
  readonly author: string;
  readonly shelf: string;
  lentTo: string | null;
}

const books: Book[] = [
  { id: 1, title: 'The Tides', author: 'M. Okafor', shelf: '12b', lentTo: null },
  { id: 2, title: 'Salt and Stars', author: 'M. Okafor', shelf: '3a', lentTo: 'Ines' },
  { id: 3, title: 'A Field of Clocks', author: 'L. Brandt', shelf: '7c', lentTo: null },
];

const hours: Readonly<Record<string, string>> = { saturday: 'closed', friday: '9 to 17' };

/** What a method and a path do; undefined where there is no such thing. */
function answer(method: string, url: URL, body: string): [status: number, data: unknown] {
  const [, kind, id, action] = url.pathname.split('/');
  if (kind === 'hours') return [200, hours[url.searchParams.get('day') ?? ''] ?? '9 to 19'];
  const book = books.find((one) => one.id === Number(id));
  if (kind !== 'books') return [404, { error: 'there is no such thing' }];
  if (id === undefined) {
    const author = url.searchParams.get('author');
    return [200, books.filter((one) => author === null || one.author === author)];
  }
  if (!book) return [404, { error: `there is no book ${id}` }];
  if (method === 'GET') return [200, book];
  if (method === 'POST' && action === 'loan') {
    if (book.lentTo !== null) return [409, { error: `${book.title} is lent to ${book.lentTo}` }];
    const { reader }: { reader: string } = JSON.parse(body);
    book.lentTo = reader;
    return [200, book];
  }
  books.splice(books.indexOf(book), 1);
  return [204, undefined];
}

const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const isOpen = url.pathname === '/hours';
  const hasKey = request.headers['x-library-card'] === 'card-0042-2026';
  const [status, data] =
    isOpen || hasKey
      ? answer(request.method ?? 'GET', url, body)
      : [401, { error: 'show your library card' }];
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(data === undefined ? '' : JSON.stringify(data));
});

server.listen(Number(process.argv[2] ?? 4010), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
