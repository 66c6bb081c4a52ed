/** Lists who opted out of the messages of a team, as clients see it. */
import { type ProductName, products } from '../model/products.ts';
import type { OptOut, OptOutSource, OptOutTarget } from '../products/consent/opt-out.ts';
import { type ReadSlice, sliceOf } from './page.ts';

export interface ShownOptOut {
  /** E.164; absent once it was erased. */
  phone?: string;
  product: ProductName;
  /** Absent: it applies to all services of the team. */
  serviceId?: string;
  target: OptOutTarget;
  source: OptOutSource;
  createdAt: string;
}

/** The stored opt-outs of a team, newest first, behind the entry with the id `after`. */
export type ListOptOuts = (
  teamId: string,
  phoneHash: string | undefined,
  part: { after: string | undefined; limit: number },
) => Promise<OptOut[]>;

/** `list`: the function of the repository. */
export function readOptOuts(list: ListOptOuts): ReadSlice<{ phoneHash?: string | undefined }, ShownOptOut> {
  return async (teamId, { phoneHash }, after, limit) => {
    const rows = await list(teamId, phoneHash, { after: after?.[0], limit: limit + 1 });
    return sliceOf(rows, limit, shownOptOut, ({ id }) => [id]);
  };
}

function shownOptOut({ phone, product, serviceId, target, source, createdAt }: OptOut): ShownOptOut {
  return {
    ...(phone === null ? {} : { phone }),
    product: products[product].name,
    ...(serviceId === null ? {} : { serviceId }),
    target,
    source,
    createdAt: createdAt.toISOString(),
  };
}
