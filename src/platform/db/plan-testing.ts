/** What a statement reads, by PostgreSQL's own account. */

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** The row of an `explain (analyze, format json)`. */
export interface Explained {
  'QUERY PLAN': [{ Plan: PlanNode }];
}

/** Rows of the table that the statement read, those that it passed over included. */
export function rowsRead([row]: readonly Explained[], table: string): number {
  const read = (node: PlanNode): number => {
    const own =
      node['Relation Name'] === table
        ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
        : 0;
    return (node.Plans ?? []).reduce((sum, child) => sum + read(child), own);
  };
  if (row === undefined) throw new TypeError('no plan');
  return read(row['QUERY PLAN'][0].Plan);
}
