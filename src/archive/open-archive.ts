/** Opens an archive by its URL. */
import { openBucket } from './bucket.ts';
import { openDirectory } from './directory.ts';
import type { ArchiveStore } from './store.ts';

export function openArchive(url: string): ArchiveStore {
  return url.startsWith('s3:') ? openBucket(url) : openDirectory(url);
}
