/**
 * Validity that a payer signs, in seconds: `maxTimeoutSeconds` of every challenge. Work and settlement must finish
 * within this time.
 */
export const PAYMENT_VALIDITY_SECONDS = 300;
