/**
 * An archive in a bucket of S3, or of a store that speaks its protocol. AWS's own SDK, loaded only for such an archive,
 * knows the roles of machines and other sources of credentials, which smaller ones do not.
 */
import type { S3Client } from '@aws-sdk/client-s3';
import type { ArchiveStore } from './store.ts';

/** In milliseconds: to connect, for a response to begin, and between two parts of one. */
const usualPatience = { connectionTimeout: 5_000, requestTimeout: 60_000, socketTimeout: 60_000 };

/**
 * `url`: such as `s3://bucket/folder`. Credentials, region and endpoint are those of the AWS SDK: its environment variables
 * and files, or the role of the machine.
 */
export function openBucket(url: string, patience = usualPatience): ArchiveStore {
  const { hostname: Bucket, pathname } = new URL(url);
  const folder = pathname.split('/').filter(Boolean).map(decodeURIComponent);
  const keyOf = (name: string) => [...folder, name].join('/');
  // Read when it is first used: most processes have no bucket.
  let opened: Promise<{ sdk: typeof import('@aws-sdk/client-s3'); client: S3Client }> | undefined;
  const open = () => {
    opened ??= import('@aws-sdk/client-s3').then((sdk) => ({
      sdk,
      client: new sdk.S3Client({
        // Stores of others have neither a host for each bucket nor all checksums; ours are in the manifests.
        forcePathStyle: true,
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        requestHandler: { ...patience, throwOnRequestTimeout: true },
      }),
    }));
    return opened;
  };
  return {
    url,
    write: async (name, bytes) => {
      const { sdk, client } = await open();
      await client.send(new sdk.PutObjectCommand({ Bucket, Key: keyOf(name), Body: bytes }));
    },
    read: async (name) => {
      const { sdk, client } = await open();
      try {
        const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket, Key: keyOf(name) }));
        return Body && Buffer.from(await Body.transformToByteArray());
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return undefined;
        throw error;
      }
    },
    names: async () => {
      const { sdk, client } = await open();
      const names: string[] = [];
      const pages = sdk.paginateListObjectsV2({ client }, { Bucket, Prefix: keyOf('') });
      for await (const { Contents = [] } of pages)
        names.push(...Contents.map(({ Key = '' }) => Key.slice(keyOf('').length)));
      return names;
    },
  };
}
