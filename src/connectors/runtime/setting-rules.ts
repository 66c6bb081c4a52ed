/** Rules for settings shared by several connector kinds. */

/** A whole number. */
export const whole = (minimum: number, maximum: number, fallback: number) => ({
  type: 'integer',
  minimum,
  maximum,
  default: fallback,
});

/** An absolute http or https URL. */
export const httpUrl = { type: 'string', format: 'uri', pattern: '^https?://' } as const;

/** See ReferenceSettings. */
export const referencePrefix = {
  type: 'string',
  pattern: '^[A-Za-z0-9._-]{0,32}$',
  default: 'tarishi-',
} as const;
