import { correctionsRoute } from '../../operations/routes/dispute-route.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = correctionsRoute;
