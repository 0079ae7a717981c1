import { paidRoute } from '../../../api/paid-route.ts';
import { historyOperation } from '../../../operations/paid-operations.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = paidRoute(historyOperation);
