/**
 * A mail server on the loopback interface: a real one, whose answers a test gives. It keeps what it
 * has taken, as it came.
 */
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { certificate } from './certificate.ts';

export interface MailScript {
  /** Encrypted from the first byte on. */
  readonly implicitTls?: boolean;
  /** Whether it offers to encrypt. Default: no. */
  readonly startTls?: boolean;
  /** Who may sign in; whoever does not is refused. */
  readonly user?: { readonly name: string; readonly password: string };
  /** What is said to a recipient in place of `250`: `450 try later`. */
  readonly recipient?: (address: string) => string | undefined;
  /** What is said to a whole message; the connection may end before it, or in place of the word. */
  readonly message?: (index: number) => string | 'cut before' | 'cut' | undefined;
}

export interface Taken {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: Uint8Array;
  readonly mail: Email;
  readonly user: unknown;
  readonly isEncrypted: boolean;
}

export interface MailServer extends AsyncDisposable {
  readonly port: number;
  readonly taken: Taken[];
  /** Sessions that have begun. */
  readonly sessions: () => number;
}

/** An error that the server says as its line: `550 no such user`. */
const said = (line: string): Error =>
  Object.assign(new Error(line.slice(4)), { responseCode: Number(line.slice(0, 3)) });

export async function startMailServer(script: MailScript = {}): Promise<MailServer> {
  const { implicitTls = false, startTls = false, user, recipient, message } = script;
  const taken: Taken[] = [];
  const sockets = new Set<Socket>();
  let sessions = 0;
  let messages = 0;
  const server = new SMTPServer({
    ...{ ...certificate, secure: implicitTls, logger: false, authOptional: !user },
    ...{ disableReverseLookup: true, allowInsecureAuth: true, closeTimeout: 100 },
    disabledCommands: [...(startTls ? [] : ['STARTTLS']), ...(user ? [] : ['AUTH'])],
    onConnect(_session, done) {
      sessions += 1;
      done();
    },
    onAuth({ username, password }, _session, done) {
      if (username === user?.name && password === user?.password) done(null, { user: username });
      else done(said('535 the password is wrong'));
    },
    onRcptTo({ address }, _session, done) {
      const line = recipient?.(address);
      done(line === undefined ? null : said(line));
    },
    onData(stream, session, done) {
      const line = message?.(messages++);
      const cut = (): void => sockets.forEach((socket) => void socket.destroy());
      if (line === 'cut before') cut();
      void read(stream).then(async (raw) => {
        if (line === 'cut') return cut();
        if (line !== undefined) return done(said(line));
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom ? mailFrom.address : '';
        const to = rcptTo.map(({ address }) => address);
        const mail = await PostalMime.parse(raw);
        const isEncrypted = session.secure;
        taken.push({ from, to, raw, mail, user: session.user, isEncrypted });
        done(null, 'queued as 4711');
      }, done);
    },
  });
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  // What a connection that was cut on purpose complains about.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    taken,
    sessions: () => sessions,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function read(stream: SMTPServerDataStream): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
