import { previewRoute } from '../../../operations/routes/preview-route.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = previewRoute;
