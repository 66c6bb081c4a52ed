/** The file that every simulated person sends: a PNG of one pixel. */
import { Readable } from 'node:stream';
import type { OpenedMedia } from '../contract/kind.ts';

export const pictureMedia = { id: 'picture', mimeType: 'image/png' };

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export async function openPicture(): Promise<OpenedMedia> {
  return { kind: 'open', stream: Readable.from([png]), bytes: png.length };
}
