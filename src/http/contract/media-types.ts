/** The kinds of bodies that the contract layer reads and writes. */

export const isJson = (mediaType: string): boolean =>
  mediaType === 'application/json' || mediaType.endsWith('+json');
export const isForm = (mediaType: string): boolean => mediaType === 'application/x-www-form-urlencoded';
/** Read as one string. */
export const isText = (mediaType: string): boolean => mediaType.startsWith('text/');
