/**
 * What a message is addressed to: a phone number in E.164 form, or in chat apps the id by which their network knows a person whose
 * number it does not say. A stored one becomes a keyed hash, which begins with #, and is empty once it was erased.
 */

/** Two letters for the country; with ENT it is that of several business portfolios. */
export const userIdPattern = /^([A-Z]{2})\.(ENT\.)?[A-Za-z0-9]{1,128}$/;

export const isUserId = (written: string): boolean => userIdPattern.test(written);

/** Whether a stored address still says who it is. */
export const isAddress = (stored: string): boolean => stored !== '' && !stored.startsWith('#');

/** SQL for the same, in the words of partial indexes. */
export const isAddressIn = (column: string): string => `${column} <> '' and ${column} not like '#%'`;
