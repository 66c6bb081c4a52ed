/** Parameters of every kind, and the faults that responses report. */

export type Param = { type: string } & Record<string, unknown>;

export const desc = 'Template parameter validation failed';
export const wrong = (parameterType: string, error: string) => ({
  type: 'ParameterError',
  parameterType,
  error,
});
export const component = (componentType: string, error: string) => ({
  type: 'ComponentError',
  componentType,
  error,
});
export const bodyNamed = (name: string, value = 'x') => ({ type: 'BodyNamedParameter', name, value });
export const bodyAt = (position: number, value = 'x') => ({
  type: 'BodyPositionalParameter',
  position,
  value,
});
export const urlAt = (position: number, value = 'x') => ({ type: 'UrlPositionalParameter', position, value });
export const media = (value: string, more: object = {}) => ({ type: 'MediaParameter', value, ...more });
export const place = (more: object = {}) => ({
  type: 'LocationParameter',
  latitude: -1.28,
  longitude: 36.82,
  value: 'Shop',
  ...more,
});
export const reply = (position: number, value = 'x') => ({
  type: 'QuickReplyPayloadParameter',
  position,
  value,
});
export const copy = (position: number, value = 'x') => ({ type: 'CopyParameter', position, value });
export const coupon = (value = 'SAVE25') => ({ type: 'CouponCodeParameter', value });
export const otp = (value = '482913') => ({ type: 'OtpParameter', value });
export const offer = (value = '2099-01-01T00:00:00Z') => ({ type: 'LimitedTimeOfferParameter', value });
export const card = (cardIndex: number, more: object = {}) => ({
  type: 'CarouselCardParameter',
  cardIndex,
  value: 'https://client.example/card.jpg',
  params: [bodyAt(1), urlAt(1)],
  ...more,
});
export const picture = 'https://client.example/picture.jpg';
export const empty = (label: string) => `Value for parameter '${label}' must be non-empty`;
export const long = (label: string, limit: number) =>
  `Value for parameter '${label}' must not exceed ${limit} characters`;
