import type { Server } from 'node:http';
import { createJsonServer, respondError, respondJson, type JsonServerResponse } from '../http/json-server.ts';
import { SCRIPT, STYLE } from './receiver-assets.ts';
import { renderReceiverPage } from './receiver-page.ts';
import type { Receiver } from './receiver.ts';

/** The page may load only its own style sheet, script and data, so that text of a delivery can never run. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function respondText(type: string, text: string): JsonServerResponse {
  return {
    status: 200,
    text,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'x-content-type-options': 'nosniff',
    },
  };
}

/** Creates the server of the page with the deliveries, `GET /`, and of the same data as JSON, `GET /deliveries`. */
export function createReceiverServer({ list }: Pick<Receiver, 'list'>): Server {
  return createJsonServer(({ method, path }) => {
    if (method !== 'GET') return respondError(405, 'use GET');
    switch (path) {
      case '/':
        return respondText('text/html', renderReceiverPage(list()));
      case '/style.css':
        return respondText('text/css', STYLE);
      case '/refresh.js':
        return respondText('text/javascript', SCRIPT);
      case '/deliveries':
        return respondJson(200, { deliveries: list() });
      default:
        return respondError(404, 'not found');
    }
  });
}
