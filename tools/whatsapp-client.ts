/** A client library of the Cloud API that we did not write, for tests outside this folder, which do not find its packages. */
export { WhatsAppClient } from '@kapso/whatsapp-cloud-api';
export { normalizeWebhook, verifySignature } from '@kapso/whatsapp-cloud-api/server';
