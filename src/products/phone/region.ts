/** The countries whose numbers are known: apart from the parser, which takes a command longer to load. */
import metadata from 'libphonenumber-js/metadata.mobile';

/** Whether a code of ISO 3166 names a country whose numbers are known. */
export const isRegion = (code: string): boolean => Object.hasOwn(metadata.countries, code);
