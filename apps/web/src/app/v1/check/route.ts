import { checkRoute } from '../../../operations/routes/check-route.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = checkRoute;
