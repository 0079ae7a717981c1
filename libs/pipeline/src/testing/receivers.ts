import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { REFUSAL_FILE, webhookMessageSchema } from '@touchstone/contract';
import { createSender, type Sender } from '@touchstone/probe';
import { createAuthority } from '@touchstone/probe/testing';

/** Message that a receiver received. */
interface Received {
  readonly host: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends the response to a message. */
type Receiver = (response: ServerResponse, message: Received) => void;

export interface Receivers {
  /** Received messages in order of arrival, including connection tests. */
  readonly messages: Received[];
  /** Receivers that do not respond with status 200, by host. */
  readonly handlers: Map<string, Receiver>;
  /** Text of the file with which a host refuses messages, by host. All other hosts respond with status 404. */
  readonly files: Map<string, string>;
  /** Hosts whose file was read, in order of the requests. */
  readonly fileReads: string[];
  readonly port: number;
  /** PEM certificate of the authority that the sender must trust. */
  readonly ca: string;
  readonly send: Sender;
  /** Returns the events that a webhook received, in order of arrival and without connection tests. */
  listEvents(
    host: string,
  ): readonly { readonly type: string; readonly id: string; readonly sequence: number }[];
  close(): Promise<void>;
}

/** Creates a sender that connects to the receivers for every host name. */
function createReceiverSender({ port, ca }: Pick<Receivers, 'port' | 'ca'>): Sender {
  return createSender({
    resolver: () => Promise.resolve([{ address: '127.0.0.1', family: 4, port, isTrusted: true }]),
    userAgent: 'test',
    ca: [ca],
  });
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** Starts an HTTPS server that receives the messages to all hosts under example.net, hooks.slack.com and discord.com. */
export async function startReceivers(): Promise<Receivers> {
  const authority = createAuthority();
  const names = ['*.example.net', 'hooks.slack.com', 'discord.com'];
  const messages: Received[] = [];
  const handlers = new Map<string, Receiver>();
  const files = new Map<string, string>();
  const fileReads: string[] = [];
  const server = createServer(authority.issue(names), (request, response) => {
    void readText(request).then((body) => {
      const { headers, url: path = '' } = request;
      const message = { host: headers.host ?? '', path, headers, body };
      if (path === REFUSAL_FILE.path) {
        fileReads.push(message.host);
        const file = files.get(message.host);
        response.writeHead(file === undefined ? 404 : 200).end(file);
        return;
      }
      messages.push(message);
      const handler = handlers.get(message.host);
      if (handler === undefined) response.end('ok');
      else handler(response, message);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const address = { port, ca: authority.cert };
  return {
    ...address,
    messages,
    handlers,
    files,
    fileReads,
    send: createReceiverSender(address),
    listEvents: (host) =>
      messages
        .filter((message) => message.host === host)
        .map(({ body }) => webhookMessageSchema.parse(JSON.parse(body)))
        .flatMap(({ type, data }) =>
          'event_id' in data ? [{ type, id: data.event_id, sequence: data.sequence }] : [],
        ),
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
