/** Draws what became of some messages as one bar; the numbers stand beside it. */
import { type Html, html } from '../../docs/render/html.ts';

interface Outcomes {
  accepted: number;
  delivered: number;
  failed: number;
}

const width = 120;
const height = 12;

/** Delivered from the left, failed from the right and half as high, so that it is read without colours. */
export function shares({ accepted, delivered, failed }: Outcomes): Html {
  const length = (part: number) => (accepted === 0 ? 0 : (part / accepted) * width).toFixed(1);
  return html`<svg class="shares" viewBox="0 0 ${width} ${height}" aria-hidden="true"><rect class="whole" width="${width}" height="${height}"/><rect class="delivered" width="${length(delivered)}" height="${height}"/><rect class="failed" x="${width - Number(length(failed))}" y="${height / 2}" width="${length(failed)}" height="${height / 2}"/></svg>`;
}
