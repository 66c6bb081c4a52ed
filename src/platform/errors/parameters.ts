/** The catalogue of template parameter faults: the sentences in the `result` of an error. */

const value = (label: string, rule: string) => `Value for parameter '${label}' ${rule}`;
const exceeding = (limit: number) => `must not exceed ${limit} characters`;
/** Rules that the template sets, not the interface, name their parameter twice. */
const templateSide = (name: string, rule: string) => `Parameter '${name}': ${value(name, rule)}`;

/** `label` is the name or position of a parameter, or its kind where a template has at most one of that kind. */
export const sentences = {
  // Which place it fills
  name: () => 'Name must be a non-empty identifier using letters, digits, and underscores',
  position: () => 'Position must be 1 or greater',
  cardIndex: () => 'Card index must be 0 or greater',
  unknown: (label: string) => `Unknown parameter '${label}'`,
  duplicate: (label: string) => `Duplicate parameter '${label}'`,
  missing: (label: string) => `Missing required parameter '${label}'`,
  named: (label: string) => `Parameter '${label}' is named, but the placeholders are positional`,
  positional: (label: string) => `Parameter '${label}' is positional, but the placeholders are named`,

  // Its value
  empty: (label: string) => value(label, 'must be non-empty'),
  forbiddenCharacters: (label: string) => value(label, 'contains forbidden characters'),
  tooLong: (label: string, limit: number) => value(label, exceeding(limit)),
  mediaUrl: (label: string) => value(label, 'must be a public http or https URL'),
  dateTime: (label: string) => value(label, 'must be an RFC 3339 date-time'),
  past: (label: string) => value(label, 'must be in the future'),

  // Its value, by a rule of the template
  overMaxLength: (name: string, limit: number) => templateSide(name, exceeding(limit)),
  alphanumeric: (name: string) => templateSide(name, 'must be alphanumeric'),
  numeric: (name: string) => templateSide(name, 'must be numeric'),
  personName: (name: string) => templateSide(name, 'must be a valid name'),

  // What stands beside its value
  filenameNotAllowed: () => 'Filename is only allowed for a DOCUMENT header',
  filename: (limit: number) => `Filename must have 1 to ${limit} characters and no control characters`,
  latitude: () => 'Latitude must be between -90 and 90',
  longitude: () => 'Longitude must be between -180 and 180',
  address: (limit: number) => `Address must have 1 to ${limit} characters and no control characters`,

  // The component it fills
  category: (kind: string, category: string) =>
    `${kind} is only allowed for templates of category ${category}`,
  noComponent: (component: string) => `There is no ${component} component`,
  headerFormat: (format: string, kind: string) => `The HEADER component is ${format} and takes no ${kind}`,
  noButton: (type: string) => `There is no ${type} button`,
  noUrlPlaceholder: () => 'There is no URL button with a placeholder',
  inCard: (cardIndex: number, sentence: string) => `Card ${cardIndex}: ${sentence}`,

  // The text that all of them make
  contentTooLong: (limit: number) => `Resolved content cannot be longer than ${limit} characters`,
  contentEmpty: () => 'Resolved content must be non-empty',
  componentTooLong: (limit: number) => `Resolved text cannot be longer than ${limit} characters`,
} as const;
