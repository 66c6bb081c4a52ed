/** The id of a message, made of what names it already: its request, its product and its place there. */
import { createHash } from 'node:crypto';
import type { Product } from '../../model/plan.ts';
import { products } from '../../model/products.ts';

/**
 * A UUID of version 5 (RFC 9562) in the namespace of the request: of `Sms/0`, `MobileData/0` and so on. An SMS
 * that accompanies a bundle, or is in reserve, has the place of the other message.
 */
export function messageIdOf({
  requestId,
  product,
  position,
}: {
  requestId: string;
  product: Product;
  position: number;
}): string {
  const bytes = createHash('sha1')
    .update(Buffer.from(requestId.replaceAll('-', ''), 'hex'))
    .update(`${products[product].name}/${position}`)
    .digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
