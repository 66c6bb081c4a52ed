/** National tables of the GSM 7 bit alphabet: Turkish, Spanish and Portuguese (3GPP TS 23.038 annex A). */

/** National language identifiers (section 6.2.1.2.4); 0: the default tables. */
export interface NationalTables {
  /** In place of the default alphabet. */
  locking: number;
  /** In place of the extension table. */
  single: number;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
const capitals = letters.toUpperCase();
const digits = '0123456789:;<=>?';

/** In the order of their codes; the escape code has a placeholder. */
export const lockingTables: ReadonlyMap<number, string> = new Map([
  [1, `@£$¥€éùıòÇ\nĞğ\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bŞşßÉ !"#¤%&'()*+,-./${digits}İ${capitals}ÄÖÑÜ§ç${letters}äöñüà`],
  [3, `@£$¥êéúíóç\nÔô\rÁáΔ_ªÇÀ∞^\\€Ó|\u001bÂâÊÉ !"#º%&'()*+,-./${digits}Í${capitals}ÃÕÚÜ§~${letters}ãõ\`üà`],
]);

/** Characters, and in the same order the codes behind the escape code. */
type Extension = readonly [characters: string, codes: readonly number[]];

const common: Extension = ['\f^{}\\[~]|€', [0x0a, 0x14, 0x28, 0x29, 0x2f, 0x3c, 0x3d, 0x3e, 0x40, 0x65]];

const extensions: readonly (readonly [identifier: number, ...Extension[]])[] = [
  [1, common, ['ĞİŞçğış', [0x47, 0x49, 0x53, 0x63, 0x67, 0x69, 0x73]]],
  [2, common, ['çÁÍÓÚáíóú', [0x09, 0x41, 0x49, 0x4f, 0x55, 0x61, 0x69, 0x6f, 0x75]]],
  [
    3,
    common,
    ['êçÔôÁáΦΓΩΠΨΣΘÊ', [0x05, 0x09, 0x0b, 0x0c, 0x0e, 0x0f, 0x12, 0x13, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1f]],
    ['ÀÍÓÚÃÕÂíóúãõâ', [0x41, 0x49, 0x4f, 0x55, 0x5b, 0x5c, 0x61, 0x69, 0x6f, 0x75, 0x7b, 0x7c, 0x7f]],
  ],
];

/** By code. */
export const singleTables: ReadonlyMap<number, readonly (string | undefined)[]> = new Map(
  extensions.map(([identifier, ...parts]) => {
    const table: string[] = [];
    for (const [characters, codes] of parts)
      for (const [place, code] of codes.entries()) table[code] = characters[place] ?? '';
    return [identifier, table];
  }),
);

/** Whether the alphabet itself is known: without it no character is. */
export function knowsLocking(identifier: number): boolean {
  return identifier === 0 || lockingTables.has(identifier);
}

export function knowsSingle(identifier: number): boolean {
  return identifier === 0 || singleTables.has(identifier);
}
