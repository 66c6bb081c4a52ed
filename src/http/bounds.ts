/** Every bound on what requests and connections may take up, each with its unit in its name. */

const kibibyteBytes = 1024;
const mebibyteBytes = 1024 * kibibyteBytes;

// One request
export const headerLimitBytes = 16 * kibibyteBytes;
export const jsonBodyLimitBytes = mebibyteBytes;
export const formLimitBytes = 8 * kibibyteBytes;
/** Networks fold up to 3 MB of statuses into one call. */
export const inboundBodyLimitBytes = 4 * mebibyteBytes;
/** A longer body is rejected while its team has had too many rejected; its connection closes if it is not read. */
export const shortBodyLimitBytes = 64 * kibibyteBytes;
export const nestingLimitLevels = 20;
/** Objects, lists and properties of a JSON body together; 26,000 recipients of a full body have fewer. */
export const partsLimit = 100_000;
/** An object with more takes JSON.parse long. */
export const propertiesLimit = 1_000;

// Bodies of all requests without a response yet
export const jsonBodiesLimitBytes = 128 * mebibyteBytes;
export const formsLimitBytes = 8 * mebibyteBytes;
export const inboundBodiesLimitBytes = 64 * mebibyteBytes;
/** The part of each of these that one team or one address may hold. */
export const bodiesShare = 1 / 4;

// What an address or a team may use without a result
export const failedLoginsBurst = 100;
export const failedLoginsPerSecond = 20;
/** Counts bodies that were read to the end, and rejects only ones that may be long. */
export const refusedBodiesBurstBytes = 32 * mebibyteBytes;
export const refusedBodiesBytesPerSecond = mebibyteBytes;

// Calls of one user to the management API in one process: reads of a large team cost as much as sends
export const userCallsBurst = 200;
export const userCallsPerSecond = 50;

/** Searches by number of a user who sees numbers masked: a guess at the hidden digits is a search. */
export const blindSearchesBurst = 30;
export const blindSearchesPerSecond = 0.1;

// Sign-ins of one user to the console in one process: each has an entry in the audit log, for ever
export const signInsBurst = 30;
export const signInsPerSecond = 0.1;

// Requests in progress, between which the limit moves
export const mostRequestsInProgress = 640;
export const leastRequestsInProgress = 64;
/** While most requests take longer, fewer are let in. */
export const slowRequestMs = 400;
export const admissionStepMs = 100;
/** How long a rejection waits on a connection that was rejected moments ago: its client ignores Retry-After. */
export const impatientDelayMs = 250;

// Connections
export const connectionLimit = 4_000;
/** Of the listener for health, readiness and metrics. */
export const operatorConnectionLimit = 100;
export const headersTimeoutMs = 10_000;
/** The time limit from the first byte of a request to the last. */
export const requestTimeoutMs = 60_000;
export const keepAliveTimeoutMs = 65_000;
export const connectionCheckIntervalMs = 1_000;
/** A connection on which the client neither sends what it began nor takes its response closes after once or twice this. */
export const noProgressMs = 10_000;
/** Requests that a client may have sent ahead of its current one: they are held in memory until their turn. */
export const pipelinedRequestsLimit = 64;
/** How long a client may go on sending a rejected body: a reset meanwhile could cost it the response. */
export const lingerLimitMs = 2_000;
