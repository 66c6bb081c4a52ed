/** The secret key of every database that a benchmark fills. */
export const secretKey = Buffer.alloc(32, 7).toString('base64');
