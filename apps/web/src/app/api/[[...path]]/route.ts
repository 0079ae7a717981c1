import { unknownPathRoute } from '../../../api/route.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = unknownPathRoute;
