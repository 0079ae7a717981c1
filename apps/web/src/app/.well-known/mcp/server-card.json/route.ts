import { createMcpServerCard } from '@touchstone/contract';
import { DOCUMENT_MAX_AGE_SECONDS } from '../../../../api/cache-times.ts';
import { createDocumentResponse } from '../../../../api/responses.ts';
import { route } from '../../../../api/route.ts';
import { getSiteOrigin } from '../../../../config/config.ts';

export const dynamic = 'force-dynamic';

/** Responds with the server card, by which MCP clients find the MCP server of this site. */
const respond = (request: Request): Response =>
  createDocumentResponse(request, {
    text: JSON.stringify(createMcpServerCard(getSiteOrigin(process.env))),
    type: 'application/json',
    maxAgeSeconds: DOCUMENT_MAX_AGE_SECONDS,
  });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({ GET: respond });
