import { createMcpServerCard, SERVER_CARD_TYPE } from '@touchstone/contract';
import { DOCUMENT_MAX_AGE_SECONDS, createFixedDocumentResponse } from '../../api/responses.ts';
import { route } from '../../api/route.ts';
import { getSiteOrigin } from '../../platform/config/config.ts';

/** Responds with the server card. MCP clients use this card to find the MCP server of this site. */
const respond = (request: Request): Response =>
  createFixedDocumentResponse(request, {
    text: JSON.stringify(createMcpServerCard(getSiteOrigin(process.env))),
    type: SERVER_CARD_TYPE,
    maxAgeSeconds: DOCUMENT_MAX_AGE_SECONDS,
  });

/** Handlers of the server card. The card has two paths: the path that SEP-2127 recommends, and the well-known path. */
export const serverCardRoute = route({ GET: respond });
