import { paidRoute } from '../../../../../api/paid-route.ts';
import { renewWatchOperation } from '../../../../../operations/watch-operations.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = paidRoute(renewWatchOperation);
