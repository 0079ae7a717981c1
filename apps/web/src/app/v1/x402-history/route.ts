import { paidRoute } from '../../../api/paid-route.ts';
import { historySale } from '../../../sales.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = paidRoute(historySale);
