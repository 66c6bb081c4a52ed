/** Every bound on what requests and connections may take up, each with its unit in its name. */

const kibibyteBytes = 1024;
const mebibyteBytes = 1024 * kibibyteBytes;

// One request
export const headerLimitBytes = 16 * kibibyteBytes;
export const jsonBodyLimitBytes = mebibyteBytes;
export const formLimitBytes = 8 * kibibyteBytes;
/** Networks fold up to 3 MB of statuses into one call. */
export const inboundBodyLimitBytes = 4 * mebibyteBytes;
export const nestingLimitLevels = 20;

// Bodies of all requests that have not been answered yet
export const jsonBodiesLimitBytes = 128 * mebibyteBytes;
export const formsLimitBytes = 8 * mebibyteBytes;
export const inboundBodiesLimitBytes = 64 * mebibyteBytes;
/** The part of each of these that one team or one address may hold. */
export const bodiesShare = 1 / 4;

// Connections
export const connectionLimit = 4_000;
/** Of the listener for health, readiness and metrics. */
export const operatorConnectionLimit = 100;
export const headersTimeoutMs = 10_000;
/** From the first byte of a request to the last. */
export const requestTimeoutMs = 60_000;
export const keepAliveTimeoutMs = 65_000;
export const connectionCheckIntervalMs = 1_000;
/** The rest of a refused body up to this size is read and dropped, which keeps the connection; else it closes. */
export const keptConnectionLimitBytes = 64 * kibibyteBytes;
/** How long a client may go on sending a refused body: a reset meanwhile could cost it the response. */
export const lingerLimitMs = 2_000;
