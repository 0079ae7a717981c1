/** Maximum number of statements of a provider about one endpoint, and about all endpoints of a host. */
export const MAX_STATEMENTS_PER_ENDPOINT = 10;
export const MAX_STATEMENTS = 100;

/** Maximum number of maintenance windows of a host that have not ended. */
export const MAX_MAINTENANCE_WINDOWS = 10;
/** Minimum time between the announcement of a maintenance window and its start, in minutes. */
export const MIN_MAINTENANCE_NOTICE_MINUTES = 10;
/** Maximum duration of one maintenance window, in hours. */
export const MAX_MAINTENANCE_HOURS = 24;
/** Maximum duration of all maintenance windows of a host that start within 30 days, in hours. */
export const MAX_MAINTENANCE_HOURS_30D = 72;

/** Maximum number of maintenance windows of a host that start within 30 days. */
export const MAX_MAINTENANCE_WINDOWS_30D = 30;

/** Maximum length of the contact for security reports, in characters. */
export const MAX_CONTACT_CHARS = 200;

/** Maximum number of endpoints about whose outages and payTo changes a provider gets free notices. */
export const MAX_NOTICE_ENDPOINTS = 20;
