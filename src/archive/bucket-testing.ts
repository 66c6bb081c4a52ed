/** A store that has the requests of S3 that an archive needs, for this process: its settings are in the environment. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Call {
  /** Such as `/bucket/folder/name`. */
  key: string;
  body: Buffer;
  response: ServerResponse;
}

export interface TestBucket {
  /** By their keys. */
  objects: Map<string, Buffer>;
  /** Whether each request was signed. */
  signed: boolean[];
  /** What is done instead with requests such as `PUT /bucket/name`. */
  fault: { at: RegExp; act: (call: Call) => void } | undefined;
  close: () => void;
}

export async function startTestBucket(): Promise<TestBucket> {
  const before = { ...process.env };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://store');
    const { objects, signed, fault } = bucket;
    signed.push(/^AWS4-HMAC-SHA256 Credential=key\//.test(request.headers.authorization ?? ''));
    const key = decodeURIComponent(pathname);
    const body = await buffer(request);
    if (fault?.at.test(`${request.method} ${key}`)) return fault.act({ key, body, response });
    if (request.method === 'PUT') objects.set(key, body);
    const found = objects.get(key);
    if (request.method === 'GET' && searchParams.has('list-type'))
      response.end(listOf(objects, key.split('/')[1] ?? '', searchParams));
    else if (found === undefined) refuse(404, 'NoSuchKey')({ response });
    else response.end(request.method === 'GET' ? found : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_REGION: 'af-south-1',
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_MAX_ATTEMPTS: '2',
  });
  const bucket: TestBucket = {
    objects: new Map(),
    signed: [],
    fault: undefined,
    close: () => {
      process.env = before;
      server.closeAllConnections();
      server.close();
    },
  };
  return bucket;
}

export const refuse =
  (status: number, code: string) =>
  ({ response }: Pick<Call, 'response'>): void => {
    response
      .writeHead(status, { 'content-type': 'application/xml' })
      .end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
  };

/** Keys of a bucket, two in each page. */
function listOf(objects: ReadonlyMap<string, Buffer>, bucket: string, query: URLSearchParams): string {
  const prefix = `/${bucket}/${query.get('prefix')}`;
  const after = query.get('continuation-token') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const [page, last] = [keys.slice(0, 2), keys[1]];
  const next = keys.length > 2 ? `<NextContinuationToken>${last}</NextContinuationToken>` : '';
  const contents = page
    .map((key) => `<Contents><Key>${key.slice(bucket.length + 2)}</Key></Contents>`)
    .join('');
  return `<ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>${next}${contents}</ListBucketResult>`;
}
