import { serverCardRoute } from '../../../operations/mcp/server-card-route.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serverCardRoute;
