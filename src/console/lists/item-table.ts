/** Tables of what the API lists: the columns are those of the document, or some of them, and each value is shown as people read it. */
import type { ManagementOperationId } from '../../../handlers/management/operation.ts';
import type { Schema } from '../../contract/types.ts';
import type { Column } from '../../contract/words.ts';
import type { Content, Html } from '../../docs/render/html.ts';
import { namedColumns, type Shown, scalarsOf, valueAt } from '../../http/management/columns.ts';
import { own } from '../../platform/text/own.ts';
import { table } from '../layout/parts.ts';
import { labelOf, show, showOf } from '../layout/values.ts';
import type { PageContext } from '../page.ts';

export interface ItemColumns<Item> {
  /** The operation that lists such items. */
  operation: ManagementOperationId;
  /** The property of its answer that has them; `items` if omitted. */
  within?: string;
  /** Instead of those that the document names. */
  columns?: readonly Column[] | undefined;
  /** Cells that say more than the value of their property; the first one leads to the page of the item, if it has one. */
  cells?: Readonly<Record<string, (item: Item, page: PageContext) => Content>>;
  /** Columns of numbers that are no properties. */
  numbers?: readonly string[];
  /** Pages of what a property names, where they differ from the usual ones. */
  references?: Readonly<Record<string, string>> | undefined;
}

/** `empty`: said instead of a table without rows. Users of a team see theirs only, and so no column for it. */
export function itemTable<Item extends object>(
  { operation, within = 'items', columns, cells = {}, numbers = [], references }: ItemColumns<Item>,
  items: readonly Item[],
  page: PageContext,
  { caption, empty }: { caption: string; empty: string },
): Html {
  const schema: Schema = own(page.api.operation(operation).answer.properties ?? {}, within)?.items ?? {};
  const shown = namedColumns(columns ?? schema['x-columns'] ?? scalarsOf(schema)).filter(
    ([, path]) => path !== 'teamId' || page.reader.teamId === undefined,
  );
  return table({
    caption,
    empty,
    columns: shown.map(([name, path]) => ({
      name: labelOf(name),
      isNumber: numbers.includes(path) || isNumber(own(schema.properties, path)),
    })),
    rows: items.map((item) =>
      shown.map(([, path]) => {
        const cell = own(cells, path);
        return cell === undefined ? shownAt(path, schema, item as Shown, page, references) : cell(item, page);
      }),
    ),
  });
}

const isNumber = (schema: Schema | undefined) =>
  [schema?.type].flat().some((type) => type === 'integer' || type === 'number');

function shownAt(
  path: string,
  schema: Schema,
  item: Shown,
  page: PageContext,
  references: ItemColumns<object>['references'],
): Content {
  const showing = { references, inCell: true };
  const ofPart = own(schema.properties, path);
  const shown = path.includes('.')
    ? show(path, ofPart, valueAt(item, path), page, showing)
    : showOf(item, path, ofPart, page, showing);
  return shown ?? '–';
}
