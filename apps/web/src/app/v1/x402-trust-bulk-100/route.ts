import { createBulkRoute } from '../../../operations/bulk-route.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createBulkRoute(100);
